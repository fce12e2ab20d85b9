-- What the source said that a page's bytes are: without it a recording could not be read again in the same way. NULL
-- on pages from before.

ALTER TABLE gate.page ADD COLUMN content_type text CHECK (octet_length(content_type) BETWEEN 1 AND 1000);
