-- A page that a session has fetched is not fetched again for another query of the same session. The other query
-- gets a page of its own, so that every page belongs to one query still, and that page has no bytes but names the
-- one that has them (same_as). address: what was asked for, in the one spelling that the gate compares.

ALTER TABLE gate.page
    ADD COLUMN address text CHECK (octet_length(address) BETWEEN 1 AND 8192),
    ADD COLUMN same_as gate.page_id,
    ALTER COLUMN raw DROP NOT NULL,
    ALTER COLUMN text DROP NOT NULL,
    ADD FOREIGN KEY (session, same_as) REFERENCES gate.page (session, id) ON DELETE CASCADE,
    ADD CHECK (num_nonnulls(raw, text) = CASE WHEN same_as IS NULL THEN 2 ELSE 0 END);

-- However many calls ask at once, a result shares one page once.
CREATE UNIQUE INDEX page_shared ON gate.page (result) WHERE same_as IS NOT NULL;
