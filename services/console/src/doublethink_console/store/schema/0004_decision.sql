-- How a run will end, written before its session is closed: whoever takes the run up after that only ends it.
ALTER TABLE console.run ADD COLUMN decided text CHECK (decided IN ('answered', 'not_found', 'refused', 'failed'));
