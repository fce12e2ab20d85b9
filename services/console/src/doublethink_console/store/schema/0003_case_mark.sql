-- By this the same case is known again: a keyed digest of the case as it was given, see doublethink_console.sealing.
ALTER TABLE console.case_file ADD COLUMN mark bytea UNIQUE CHECK (octet_length(mark) = 32);
