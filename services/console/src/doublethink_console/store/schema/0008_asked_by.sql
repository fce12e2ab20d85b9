-- Who asked: the pseudonym of a person (see doublethink_console.identity.people), so that somebody else decides about the
-- run's held searches. NULL where nobody was known: behind a launch token, and for runs from before.
ALTER TABLE console.run ADD COLUMN asked_by text CHECK (asked_by ~ '^per_[a-z2-7]{26}$');
