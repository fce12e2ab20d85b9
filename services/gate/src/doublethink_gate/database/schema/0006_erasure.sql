-- Erasure. A payload goes only together with the row that says so: one function does both in one transaction, and the
-- role that retention runs as may execute it and may no longer delete by itself. What crashes in between has done
-- neither. The row stands in a maintenance session of its own, which the same transaction opens and closes: the
-- session that the payload belonged to stays closed, and no maintenance session is ever left open.

REVOKE DELETE ON ledger.payload, ledger.session_key FROM doublethink_retention;

-- The id by which everybody but the tables knows a session: ses_ and 26 letters of lower-case base32 (RFC 4648).
CREATE FUNCTION ledger.session_name(session uuid) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN 'ses_' || (
    SELECT string_agg(
        substr('abcdefghijklmnopqrstuvwxyz234567', 1 + substring(bits FROM 1 + 5 * letter FOR 5)::bit(5)::integer, 1),
        '' ORDER BY letter)
    FROM (SELECT ('x' || encode(uuid_send(session), 'hex'))::bit(128) || B'00' AS bits) AS whole,
        generate_series(0, 25) AS letter);
REVOKE ALL ON FUNCTION ledger.session_name(uuid) FROM PUBLIC;

-- The other session that a redaction or an opening names. A body has one encoding (no white space, keys sorted, no
-- quotation mark in any value), so that the bytes of the key stand where the key does and nowhere else.
CREATE FUNCTION ledger.about(body bytea) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN convert_from(substring(body FROM position('"of_session":"ses_'::bytea IN body) + 14 FOR 30), 'UTF8');
REVOKE ALL ON FUNCTION ledger.about(bytea) FROM PUBLIC;

CREATE INDEX entry_about ON ledger.entry (ledger.about(body), seq)
    WHERE position('"of_session":"ses_'::bytea IN body) > 0;

-- Erases the payloads of up to 250 rows, and writes a redaction for each that there was. Where that was a session's
-- last payload, its wrapped key goes too, so that no copy of the ciphertext that lies elsewhere opens any more.
--
-- targets: row ids; one whose payload is gone already is passed over, so that a repetition changes nothing.
-- gate, policy: SHA-256 of the program that asks and of its policy, as every row names them.
--
-- SQLSTATE    DT003 malformed call   DT006 a session is not closed yet   DT007 the ledger did not take the rows
CREATE FUNCTION ledger.erase(targets uuid[], reason text, gate bytea, policy bytea)
RETURNS TABLE (id uuid, session uuid, n bigint, redaction_seq bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    wanted CONSTANT integer := coalesce(cardinality(targets), 0);
    who CONSTANT text := format('"gate":"%s"', encode(gate, 'hex'));
    rules CONSTANT text := format('"policy":"%s"', encode(policy, 'hex'));
    maintenance CONSTANT uuid := gen_random_uuid();
    erased record;
    ids uuid[] := '{}';
    owners uuid[] := '{}';
    numbers bigint[] := '{}';
    bodies bytea[];
    total integer;
    seqs bigint[];
BEGIN
    IF wanted NOT BETWEEN 1 AND 250 OR array_position(targets, NULL) IS NOT NULL
        OR coalesce(reason NOT IN ('retention', 'request', 'court'), true)
        OR octet_length(gate) IS DISTINCT FROM 32 OR octet_length(policy) IS DISTINCT FROM 32
    THEN
        RAISE EXCEPTION 'erase needs 1 to 250 row ids, a known reason and two digests' USING ERRCODE = 'DT003';
    END IF;
    -- One eraser at a time; appends are held up by their own lock only, and only once the deleting is done.
    PERFORM pg_advisory_xact_lock(7238529683823224181);
    -- The checks of an open session read its payloads.
    IF EXISTS (
        SELECT FROM ledger.entry AS e
        WHERE e.id = ANY (targets) AND 'session.close' IS DISTINCT FROM (
            SELECT convert_from(last.body, 'UTF8')::json->>'kind'
            FROM ledger.entry AS last WHERE last.session = e.session ORDER BY last.n DESC LIMIT 1))
    THEN
        RAISE EXCEPTION 'a session is not closed yet' USING ERRCODE = 'DT006';
    END IF;

    FOR erased IN
        WITH gone AS (DELETE FROM ledger.payload AS p WHERE p.id = ANY (targets) RETURNING p.id)
        SELECT e.id, e.session, e.n FROM gone JOIN ledger.entry AS e ON e.id = gone.id ORDER BY e.seq
    LOOP
        ids := ids || erased.id;
        owners := owners || erased.session;
        numbers := numbers || erased.n;
    END LOOP;
    IF cardinality(ids) = 0 THEN
        RETURN;
    END IF;

    bodies := ARRAY[convert_to(format(
        '{"expires_us":0,%s,"kind":"session.open","max_bytes":0,"max_calls":0,"max_pages":0,"max_queries":0,%s,'
        '"source":"maintenance"}', who, rules), 'UTF8')];
    FOR i IN 1 .. cardinality(ids) LOOP
        bodies := bodies || convert_to(format(
            '{%s,"kind":"redaction","of":"%s","of_n":%s,"of_session":"%s",%s,"reason":"%s"}',
            who, ids[i], numbers[i], ledger.session_name(owners[i]), rules, reason), 'UTF8');
    END LOOP;
    bodies := bodies || convert_to(format('{%s,"kind":"session.close",%s,"reason":"closed"}', who, rules), 'UTF8');
    total := cardinality(bodies);
    SELECT array_agg(a.seq ORDER BY a.item) INTO seqs
    FROM ledger.append(
        array_fill(maintenance, ARRAY[total]),
        (SELECT array_agg(gen_random_uuid()) FROM generate_series(1, total)),
        bodies,
        array_fill(-1::bigint, ARRAY[total]),
        array_fill(0, ARRAY[total]),
        array_fill(''::bytea, ARRAY[total]),
        array_fill(''::bytea, ARRAY[total])
    ) AS a WHERE a.status = 'appended';
    IF coalesce(cardinality(seqs), 0) <> total THEN
        RAISE EXCEPTION 'the ledger did not take the redactions' USING ERRCODE = 'DT007';
    END IF;

    DELETE FROM ledger.session_key AS k
    WHERE k.session = ANY (owners) AND NOT EXISTS (
        SELECT FROM ledger.entry AS e JOIN ledger.payload AS p ON p.id = e.id WHERE e.session = k.session);

    RETURN QUERY SELECT t.id, t.session, t.n, t.seq
        FROM unnest(ids, owners, numbers, seqs[2:total - 1]) AS t (id, session, n, seq);
END
$$;
REVOKE ALL ON FUNCTION ledger.erase(uuid[], text, bytea, bytea) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION ledger.erase(uuid[], text, bytea, bytea) TO doublethink_retention;
GRANT EXECUTE ON FUNCTION ledger.about(bytea) TO doublethink_gate;

-- Pages go earlier than payloads do: with a session's queries go their results, pages and facts, while the session
-- itself stays, and with it its owner's right to read its rows.
REVOKE DELETE ON gate.session FROM doublethink_retention;
GRANT SELECT (session), DELETE ON gate.query TO doublethink_retention;

-- To see at its start that the schema is the one that it was shipped with.
GRANT USAGE ON SCHEMA migration TO doublethink_retention;
GRANT SELECT ON migration.applied TO doublethink_retention;
