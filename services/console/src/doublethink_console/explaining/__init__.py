"""Why an attempt was stopped, in words for the case's owner: rule, way, place, and what a person can do."""
