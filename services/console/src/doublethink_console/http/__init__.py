"""The JSON API: who may come in, what may be said, and how it is answered."""
