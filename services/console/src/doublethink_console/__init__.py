"""Cases, runs and answers for people: the JSON API and its store."""
