-- Signed checkpoints: what the log's Merkle root was at a size. Rows that are only ever added, by one function.
--
-- The table is a copy. What it says counts because it is signed, and because the same notes lie in places outside of
-- this database; whoever controls the database can empty it, and is found out by the other copies.

-- at_us orders the whole table: the function makes it larger at every row, whatever the clock does. The last row by
-- it is the head. A new origin is opened after a recovery; statement is then a signed note that cites the old head.
CREATE TABLE ledger.checkpoint (
    origin text NOT NULL CHECK (octet_length(origin) BETWEEN 1 AND 255),
    size bigint NOT NULL CHECK (size >= 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    note bytea NOT NULL CHECK (octet_length(note) BETWEEN 1 AND 65536),
    at_us bigint NOT NULL UNIQUE CHECK (at_us >= 0),
    statement bytea CHECK (octet_length(statement) BETWEEN 1 AND 65536),
    PRIMARY KEY (origin, size)
);

CREATE TRIGGER checkpoint_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER checkpoint_row BEFORE UPDATE OR DELETE ON ledger.checkpoint
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.checkpoint ENABLE ALWAYS TRIGGER checkpoint_statement;
ALTER TABLE ledger.checkpoint ENABLE ALWAYS TRIGGER checkpoint_row;

-- Compare and swap: stores a checkpoint if the head is still the one that the caller extended, and says whether it
-- did. expected_origin and expected_size are null where the caller found the table empty. So of two sealers that
-- extend one head, one is stored and the other reads it.
--
-- Within an origin the size grows. Another origin than the head's must be new, and comes with its statement; no
-- checkpoint of an origin that was followed by another is stored again. A size beyond the rows that are there is
-- refused. at_us is returned, or null where another came first.
--
-- SQLSTATE    DT001 isolation is not READ COMMITTED   DT002 commits are not durable
--             DT004 not a checkpoint that may follow the head
CREATE FUNCTION ledger.store_checkpoint(
    expected_origin text, expected_size bigint,
    new_origin text, new_size bigint, new_root bytea, new_note bytea, new_statement bytea
)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    head record;
    new_at_us bigint;
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'store_checkpoint needs READ COMMITTED' USING ERRCODE = 'DT001';
    END IF;
    IF current_setting('fsync') <> 'on' OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        RAISE EXCEPTION 'store_checkpoint needs fsync and synchronous_commit on' USING ERRCODE = 'DT002';
    END IF;

    -- Another lock than the appends' own: sealing never waits for them, nor they for it.
    PERFORM pg_advisory_xact_lock(7238529683823224180);

    SELECT c.origin, c.size, c.at_us INTO head FROM ledger.checkpoint AS c ORDER BY c.at_us DESC LIMIT 1;
    IF head.origin IS DISTINCT FROM expected_origin OR head.size IS DISTINCT FROM expected_size THEN
        RETURN NULL;
    END IF;
    IF new_size > (SELECT coalesce(max(e.seq), -1) + 1 FROM ledger.entry AS e) THEN
        RAISE EXCEPTION 'a checkpoint covers more rows than there are' USING ERRCODE = 'DT004';
    END IF;
    IF head.origin IS NOT NULL AND (
        CASE WHEN head.origin = new_origin THEN new_size <= head.size OR new_statement IS NOT NULL
        ELSE new_statement IS NULL
            OR EXISTS (SELECT FROM ledger.checkpoint AS c WHERE c.origin = new_origin)
        END)
    THEN
        RAISE EXCEPTION 'a checkpoint cannot follow the head' USING ERRCODE = 'DT004';
    END IF;

    new_at_us := greatest(
        coalesce(head.at_us, -1) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    INSERT INTO ledger.checkpoint (origin, size, root, note, at_us, statement)
    VALUES (new_origin, new_size, new_root, new_note, new_at_us, new_statement);
    RETURN new_at_us;
END
$$;
REVOKE ALL ON FUNCTION ledger.store_checkpoint(text, bigint, text, bigint, bytea, bytea, bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION ledger.store_checkpoint(text, bigint, text, bigint, bytea, bytea, bytea)
    TO doublethink_sealer;
GRANT SELECT ON ledger.checkpoint TO doublethink_sealer, doublethink_gate;
