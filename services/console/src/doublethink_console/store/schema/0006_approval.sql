-- How long a run's searches that the gate holds may wait for a person, in seconds; at 0 they are refused.
ALTER TABLE console.run
    ADD COLUMN approval_seconds integer NOT NULL DEFAULT 0 CHECK (approval_seconds BETWEEN 0 AND 1500);
