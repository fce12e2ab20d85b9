-- The ledger: rows that are only ever added, and their payloads, which may be erased.

CREATE SCHEMA ledger;
REVOKE ALL ON SCHEMA ledger FROM PUBLIC;

-- seq is the leaf index in the Merkle log: 0-based, without gaps, in commit order. n counts in the session.
-- No index on prev or hash: they cost much at every append, and the append function makes both.
CREATE TABLE ledger.entry (
    seq bigint PRIMARY KEY CHECK (seq >= 0),
    session uuid NOT NULL,
    n bigint NOT NULL CHECK (n >= 0),
    id uuid NOT NULL UNIQUE,
    at_us bigint NOT NULL CHECK (at_us >= 0),
    prev bytea NOT NULL CHECK (octet_length(prev) = 32),
    body bytea NOT NULL CHECK (octet_length(body) BETWEEN 2 AND 16384),
    hash bytea NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE (session, n)
);

-- ciphertext = AES-256-GCM(nonce[32] || payload) with its 16-byte tag; at least 48 bytes, at most 4 MiB and 48.
CREATE TABLE ledger.payload (
    id uuid PRIMARY KEY REFERENCES ledger.entry (id),
    key_version integer NOT NULL CHECK (key_version > 0),
    iv bytea NOT NULL CHECK (octet_length(iv) = 12),
    ciphertext bytea NOT NULL CHECK (octet_length(ciphertext) BETWEEN 48 AND 4194352)
);
-- Ciphertext does not compress: trying costs time under the lock.
ALTER TABLE ledger.payload ALTER COLUMN ciphertext SET STORAGE EXTERNAL;

-- A session's payload key, wrapped by a version of the gates' key-encryption key. A rotation of that key adds a
-- row with the same key_version and another kek; nothing is updated. Deleting a session's rows here makes all its
-- payloads unreadable.
CREATE TABLE ledger.session_key (
    session uuid NOT NULL,
    key_version integer NOT NULL CHECK (key_version > 0),
    kek text NOT NULL CHECK (kek ~ '^[a-z0-9][a-z0-9._-]{0,31}$'),
    iv bytea NOT NULL CHECK (octet_length(iv) = 12),
    wrapped bytea NOT NULL CHECK (octet_length(wrapped) = 48),
    PRIMARY KEY (session, key_version, kek)
);

CREATE FUNCTION ledger.refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% on %.% is refused: the ledger is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
        USING ERRCODE = 'DT100';
END
$$;
REVOKE ALL ON FUNCTION ledger.refuse_change() FROM PUBLIC;

-- Per statement, so that a statement that touches no row is refused too, and per row, since logical replication
-- fires row triggers only. ENABLE ALWAYS: session_replication_role does not switch them off.
CREATE TRIGGER entry_statement BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER entry_row BEFORE UPDATE OR DELETE ON ledger.entry
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_statement;
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_row;

CREATE TRIGGER payload_statement BEFORE UPDATE OR TRUNCATE ON ledger.payload
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER payload_row BEFORE UPDATE ON ledger.payload
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.payload ENABLE ALWAYS TRIGGER payload_statement;
ALTER TABLE ledger.payload ENABLE ALWAYS TRIGGER payload_row;

CREATE TRIGGER session_key_statement BEFORE UPDATE OR TRUNCATE ON ledger.session_key
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER session_key_row BEFORE UPDATE ON ledger.session_key
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
ALTER TABLE ledger.session_key ENABLE ALWAYS TRIGGER session_key_statement;
ALTER TABLE ledger.session_key ENABLE ALWAYS TRIGGER session_key_row;

-- Whether a row changes what the checks of its session look at: a payload that may have been sent, or a response
-- that was stored. Blocked and held attempts do not.
CREATE FUNCTION ledger.changes_check_state(body bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE convert_from(body, 'UTF8')::json->>'kind'
    WHEN 'attempt' THEN convert_from(body, 'UTF8')::json->>'verdict' IN ('allow', 'rewrite')
    WHEN 'outcome' THEN convert_from(body, 'UTF8')::json->>'response' IS NOT NULL
    ELSE false
END;
REVOKE ALL ON FUNCTION ledger.changes_check_state(bytea) FROM PUBLIC;

-- The only way to add rows. One call is one batch; every item gets its own answer, in the order given.
--
-- Arguments are arrays of one length, 1 to 256: session, row id, body, the expectation (-1 for none), and the
-- payload's key version, iv and ciphertext (0 and two empty strings for none).
--
-- status      appended      the row is written; seq, n, at_us, prev, hash are its own
--             duplicate     the very same row was written before; the values are those of then
--             conflict      the row id belongs to another row
--             lost_race     an attempt whose checks did not see the last row that changed the check state, or
--                           a later attempt of the same session in the same batch
--             closed        the session is closed
--             not_open      the session has no session.open row yet
--             already_open  the session has its session.open row
--             invalid       an expectation that is missing, out of place or ahead of the session, or a payload
--                           that is missing or out of place
--
-- SQLSTATE    DT001 isolation is not READ COMMITTED   DT002 commits are not durable   DT003 malformed batch
CREATE FUNCTION ledger.append(
    sessions uuid[], ids uuid[], bodies bytea[], expectations bigint[],
    key_versions integer[], ivs bytea[], ciphertexts bytea[]
)
RETURNS TABLE (item integer, status text, seq bigint, n bigint, at_us bigint, prev bytea, hash bytea)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    batch_size CONSTANT integer := coalesce(cardinality(ids), 0);
    last_seq bigint;
    last_at_us bigint;
    losers uuid[] := '{}';
    given record;
    known record;
    head record;
    doc json;
    kind text;
    is_first boolean;
    is_attempt boolean;
    needs_expectation boolean;
BEGIN
    -- A fixed snapshot would not show rows that were committed while this call waited for the lock.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'append needs READ COMMITTED' USING ERRCODE = 'DT001';
    END IF;
    IF current_setting('fsync') <> 'on' OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        RAISE EXCEPTION 'append needs fsync and synchronous_commit on' USING ERRCODE = 'DT002';
    END IF;
    IF batch_size NOT BETWEEN 1 AND 256
        OR (SELECT count(*) FROM (VALUES (cardinality(sessions)), (cardinality(bodies)),
                (cardinality(expectations)), (cardinality(key_versions)), (cardinality(ivs)),
                (cardinality(ciphertexts))) AS lengths (length)
            WHERE length = batch_size) <> 6
        OR array_position(sessions, NULL) IS NOT NULL OR array_position(ids, NULL) IS NOT NULL
        OR array_position(bodies, NULL) IS NOT NULL OR array_position(expectations, NULL) IS NOT NULL
        OR array_position(key_versions, NULL) IS NOT NULL OR array_position(ivs, NULL) IS NOT NULL
        OR array_position(ciphertexts, NULL) IS NOT NULL
    THEN
        RAISE EXCEPTION 'append needs 1 to 256 complete items' USING ERRCODE = 'DT003';
    END IF;

    -- "dtledger" as a number. Held until the commit is durable, so that the next caller sees these rows.
    PERFORM pg_advisory_xact_lock(7238529683823224178);

    SELECT e.seq, e.at_us INTO last_seq, last_at_us FROM ledger.entry AS e ORDER BY e.seq DESC LIMIT 1;
    IF NOT FOUND THEN
        last_seq := -1;
        last_at_us := 0;
    END IF;

    FOR given IN
        SELECT t.* FROM unnest(sessions, ids, bodies, expectations, key_versions, ivs, ciphertexts)
            WITH ORDINALITY AS t (session, id, body, expectation, key_version, iv, ciphertext, position)
        ORDER BY t.position
    LOOP
        item := given.position - 1;
        status := NULL;
        seq := NULL;
        n := NULL;
        at_us := NULL;
        prev := NULL;
        hash := NULL;

        SELECT e.* INTO known FROM ledger.entry AS e WHERE e.id = given.id;
        IF FOUND THEN
            IF known.session = given.session AND known.body = given.body THEN
                status := 'duplicate';
                seq := known.seq;
                n := known.n;
                at_us := known.at_us;
                prev := known.prev;
                hash := known.hash;
            ELSE
                status := 'conflict';
            END IF;
            RETURN NEXT;
            CONTINUE;
        END IF;

        doc := convert_from(given.body, 'UTF8')::json;
        kind := doc->>'kind';
        is_attempt := kind = 'attempt';
        needs_expectation := is_attempt AND doc->>'verdict' IN ('allow', 'rewrite');

        SELECT e.n, e.hash, convert_from(e.body, 'UTF8')::json->>'kind' AS kind INTO head
        FROM ledger.entry AS e WHERE e.session = given.session ORDER BY e.n DESC LIMIT 1;
        is_first := NOT FOUND;

        IF kind IS NULL
            OR (needs_expectation AND given.expectation < 0)
            OR (NOT is_attempt AND given.expectation >= 0)
            OR (doc->>'commit' IS NOT NULL) <> (octet_length(given.ciphertext) > 0)
        THEN
            status := 'invalid';
        ELSIF is_first THEN
            status := CASE WHEN kind = 'session.open' THEN 'appended' ELSE 'not_open' END;
        ELSIF head.kind = 'session.close' THEN
            status := 'closed';
        ELSIF kind = 'session.open' THEN
            status := 'already_open';
        ELSIF given.expectation > head.n THEN
            status := 'invalid';
        ELSIF is_attempt AND (
            given.session = ANY (losers)
            OR (given.expectation >= 0 AND EXISTS (
                SELECT FROM ledger.entry AS e
                WHERE e.session = given.session AND e.n > given.expectation
                    AND ledger.changes_check_state(e.body)))
        ) THEN
            status := 'lost_race';
            losers := losers || given.session;
        ELSE
            status := 'appended';
        END IF;

        IF status = 'appended' THEN
            last_seq := last_seq + 1;
            last_at_us := greatest(last_at_us, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
            seq := last_seq;
            at_us := last_at_us;
            IF is_first THEN
                n := 0;
                prev := sha256(uuid_send(given.session));
            ELSE
                n := head.n + 1;
                prev := head.hash;
            END IF;
            hash := sha256('\x00'::bytea || 'dtl1'::bytea || uuid_send(given.session) || int8send(n)
                || int8send(at_us) || uuid_send(given.id) || prev || sha256(given.body));
            INSERT INTO ledger.entry (seq, session, n, id, at_us, prev, body, hash)
            VALUES (seq, given.session, n, given.id, at_us, prev, given.body, hash);
            IF octet_length(given.ciphertext) > 0 THEN
                INSERT INTO ledger.payload (id, key_version, iv, ciphertext)
                VALUES (given.id, given.key_version, given.iv, given.ciphertext);
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION
    ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[]) FROM PUBLIC;

GRANT USAGE ON SCHEMA ledger TO doublethink_gate, doublethink_sealer, doublethink_retention;

GRANT EXECUTE ON FUNCTION
    ledger.append(uuid[], uuid[], bytea[], bigint[], integer[], bytea[], bytea[]) TO doublethink_gate;
GRANT SELECT ON ledger.entry, ledger.payload, ledger.session_key TO doublethink_gate;
GRANT INSERT ON ledger.session_key TO doublethink_gate;

GRANT SELECT ON ledger.entry TO doublethink_sealer;

GRANT SELECT ON ledger.entry TO doublethink_retention;
GRANT SELECT (id, key_version), DELETE ON ledger.payload TO doublethink_retention;
GRANT SELECT (session, key_version, kek), DELETE ON ledger.session_key TO doublethink_retention;
