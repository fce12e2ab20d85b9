-- The owner's capability over a session that is closed: it lists rows and has payloads opened, where the gate's policy
-- grants that, and does nothing else. The other two are forgotten when the session is closed.
ALTER TABLE console.run ADD COLUMN sealed_owner bytea;

-- How far the log was read for rows that say that a payload was erased: what is copied here of it goes then too.
CREATE TABLE console.log_read (
    purpose text PRIMARY KEY CHECK (purpose ~ '^[a-z_]{1,20}$'),
    next_seq bigint NOT NULL CHECK (next_seq >= 0)
);
CREATE INDEX ledger_row_id ON console.ledger_row (id);
