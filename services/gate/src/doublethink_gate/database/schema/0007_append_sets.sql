-- The append, by sets. It answers as it did (0001 has the contract: arguments, statuses, SQLSTATEs); only the work
-- is done otherwise. Looking up, parsing and inserting row by row took seven times what the bare inserts take, most
-- of it under the lock. Now what needs no lock is done before it, for all items at once; the heads of the sessions
-- come from one query, the rows go in by one statement, and the loop in between touches no table.

-- Every payload had its row looked up and locked, which writes the row a second time. Nothing but the append can add
-- a payload, and it adds the row in the same call; nothing can delete a row.
ALTER TABLE ledger.payload DROP CONSTRAINT payload_id_fkey;

-- As ledger.changes_check_state, of a body that was parsed already.
CREATE FUNCTION ledger.changes_checks(doc jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE doc->>'kind'
    WHEN 'attempt' THEN coalesce(doc->>'verdict' IN ('allow', 'rewrite'), false)
    WHEN 'outcome' THEN doc->>'response' IS NOT NULL
    ELSE false
END;
REVOKE ALL ON FUNCTION ledger.changes_checks(jsonb) FROM PUBLIC;

-- The plans are pinned to index look-ups: they are cached by long-lived connections, and those that are made while
-- the ledger is empty must fit when it is large.
--
-- All rows of a call carry one time, read under the lock, and never less than the last row's.
CREATE OR REPLACE FUNCTION ledger.append(
    sessions uuid[], ids uuid[], bodies bytea[], expectations bigint[],
    key_versions integer[], ivs bytea[], ciphertexts bytea[]
)
RETURNS TABLE (item integer, status text, seq bigint, n bigint, at_us bigint, prev bytea, hash bytea)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    batch_size CONSTANT integer := coalesce(cardinality(ids), 0);
    -- By item.
    kinds text[];
    changing boolean[];
    payload_fits boolean[];
    leads bytea[];
    id_bytes bytea[];
    body_hashes bytea[];
    slots integer[];
    statuses text[];
    seqs bigint[];
    ns bigint[];
    at_uss bigint[];
    prevs bytea[];
    hashes bytea[];
    -- By session: at the place of its first item, which is the slot of all its items.
    head_ns bigint[];
    head_hashes bytea[];
    change_ns bigint[];
    closed boolean[];
    lost boolean[];

    last_seq bigint;
    now_us bigint;
    now_bytes bytea;
    some_repeat boolean;
    head record;
    known record;
    place integer;
    slot integer;
    head_n bigint;
    link bytea;
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

    -- Parsed for reading only: what is stored and hashed are the bytes as they came.
    SELECT array_agg(t.doc->>'kind'), array_agg(ledger.changes_checks(t.doc)),
        array_agg((t.doc->>'commit' IS NOT NULL) = t.has_payload),
        array_agg('\x0064746c31'::bytea || uuid_send(t.session)), array_agg(uuid_send(t.id)),
        array_agg(sha256(t.body))
    INTO kinds, changing, payload_fits, leads, id_bytes, body_hashes
    FROM (
        SELECT u.session, u.id, u.body, octet_length(u.ciphertext) > 0 AS has_payload,
            convert_from(u.body, 'UTF8')::jsonb AS doc
        FROM unnest(sessions, ids, bodies, ciphertexts) WITH ORDINALITY AS u (session, id, body, ciphertext, position)
        ORDER BY u.position
        -- Parsed once and not at every use.
        OFFSET 0
    ) AS t;
    some_repeat := (SELECT count(DISTINCT id) FROM unnest(ids) AS given (id)) < batch_size;
    slots := array_fill(0, ARRAY[batch_size]);
    statuses := array_fill(NULL::text, ARRAY[batch_size]);
    seqs := array_fill(NULL::bigint, ARRAY[batch_size]);
    ns := seqs;
    at_uss := seqs;
    head_ns := seqs;
    change_ns := seqs;
    prevs := array_fill(NULL::bytea, ARRAY[batch_size]);
    hashes := prevs;
    head_hashes := prevs;
    closed := array_fill(false, ARRAY[batch_size]);
    lost := closed;

    -- "dtledger" as a number. Held until the commit is durable, so that the next caller sees these rows.
    PERFORM pg_advisory_xact_lock(7238529683823224178);

    SELECT e.seq, e.at_us INTO last_seq, now_us FROM ledger.entry AS e ORDER BY e.seq DESC LIMIT 1;
    last_seq := coalesce(last_seq, -1);
    now_us := greatest(now_us, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    now_bytes := int8send(now_us);
    some_repeat := some_repeat OR EXISTS (SELECT FROM ledger.entry AS e WHERE e.id = ANY (ids));

    -- change_n: the last row that changed the check state, if it lies after the least expectation; earlier ones
    -- decide nothing.
    FOR head IN
        SELECT s.places, last.n, last.hash, last.doc->>'kind' = 'session.close' AS closed,
            CASE WHEN ledger.changes_checks(last.doc) THEN last.n ELSE change.n END AS change_n
        FROM (
            SELECT t.session, array_agg(t.position::integer) AS places,
                min(t.expectation) FILTER (WHERE t.expectation >= 0) AS least
            FROM unnest(sessions, expectations) WITH ORDINALITY AS t (session, expectation, position)
            GROUP BY t.session
        ) AS s
        LEFT JOIN LATERAL (
            SELECT e.n, e.hash, convert_from(e.body, 'UTF8')::jsonb AS doc
            FROM ledger.entry AS e WHERE e.session = s.session ORDER BY e.n DESC LIMIT 1
        ) AS last ON true
        LEFT JOIN LATERAL (
            SELECT e.n FROM ledger.entry AS e
            WHERE e.session = s.session AND s.least < last.n - 1 AND e.n > s.least AND e.n < last.n
                AND ledger.changes_check_state(e.body)
            ORDER BY e.n DESC LIMIT 1
        ) AS change ON true
    LOOP
        slot := head.places[1];
        FOREACH place IN ARRAY head.places LOOP
            slots[place] := slot;
        END LOOP;
        IF head.n IS NOT NULL THEN
            head_ns[slot] := head.n;
            head_hashes[slot] := head.hash;
            change_ns[slot] := head.change_n;
            closed[slot] := head.closed;
        END IF;
    END LOOP;

    FOR i IN 1..batch_size LOOP
        IF some_repeat THEN
            -- Among the rows that are there, or among those that this call adds.
            SELECT * INTO known FROM (
                SELECT e.seq, e.n, e.at_us, e.prev, e.hash, e.session = sessions[i] AND e.body = bodies[i] AS same
                FROM ledger.entry AS e WHERE e.id = ids[i]
                UNION ALL
                SELECT seqs[p], ns[p], at_uss[p], prevs[p], hashes[p],
                    sessions[p] = sessions[i] AND bodies[p] = bodies[i]
                FROM generate_series(1, i - 1) AS p WHERE ids[p] = ids[i] AND statuses[p] = 'appended'
            ) AS k;
            IF FOUND THEN
                statuses[i] := 'conflict';
                IF known.same THEN
                    statuses[i] := 'duplicate';
                    seqs[i] := known.seq;
                    ns[i] := known.n;
                    at_uss[i] := known.at_us;
                    prevs[i] := known.prev;
                    hashes[i] := known.hash;
                END IF;
                CONTINUE;
            END IF;
        END IF;

        slot := slots[i];
        head_n := head_ns[slot];
        IF kinds[i] IS NULL OR NOT payload_fits[i]
            OR (kinds[i] = 'attempt' AND changing[i] AND expectations[i] < 0)
            OR (kinds[i] <> 'attempt' AND expectations[i] >= 0)
        THEN
            statuses[i] := 'invalid';
        ELSIF head_n IS NULL AND kinds[i] <> 'session.open' THEN
            statuses[i] := 'not_open';
        ELSIF closed[slot] THEN
            statuses[i] := 'closed';
        ELSIF head_n IS NOT NULL AND kinds[i] = 'session.open' THEN
            statuses[i] := 'already_open';
        ELSIF expectations[i] > head_n THEN
            statuses[i] := 'invalid';
        ELSIF kinds[i] = 'attempt'
            AND (lost[slot] OR (expectations[i] >= 0 AND change_ns[slot] > expectations[i]))
        THEN
            statuses[i] := 'lost_race';
            lost[slot] := true;
        ELSE
            IF head_n IS NULL THEN
                head_n := 0;
                link := sha256(uuid_send(sessions[i]));
            ELSE
                head_n := head_n + 1;
                link := head_hashes[slot];
            END IF;
            last_seq := last_seq + 1;
            statuses[i] := 'appended';
            seqs[i] := last_seq;
            ns[i] := head_n;
            at_uss[i] := now_us;
            prevs[i] := link;
            -- leads: 0x00 || "dtl1" || session.
            link := sha256(leads[i] || int8send(head_n) || now_bytes || id_bytes[i] || link || body_hashes[i]);
            hashes[i] := link;
            head_ns[slot] := head_n;
            head_hashes[slot] := link;
            IF changing[i] THEN
                change_ns[slot] := head_n;
            ELSIF kinds[i] = 'session.close' THEN
                closed[slot] := true;
            END IF;
        END IF;
    END LOOP;

    INSERT INTO ledger.entry (seq, session, n, id, at_us, prev, body, hash)
    SELECT t.seq, t.session, t.n, t.id, t.at_us, t.prev, t.body, t.hash
    FROM unnest(statuses, seqs, sessions, ns, ids, at_uss, prevs, bodies, hashes)
        AS t (status, seq, session, n, id, at_us, prev, body, hash)
    WHERE t.status = 'appended';
    INSERT INTO ledger.payload (id, key_version, iv, ciphertext)
    SELECT t.id, t.key_version, t.iv, t.ciphertext
    FROM unnest(statuses, ids, key_versions, ivs, ciphertexts) AS t (status, id, key_version, iv, ciphertext)
    WHERE t.status = 'appended' AND octet_length(t.ciphertext) > 0;
    RETURN QUERY
    SELECT t.position::integer - 1, t.status, t.seq, t.n, t.at_us, t.prev, t.hash
    FROM unnest(statuses, seqs, ns, at_uss, prevs, hashes) WITH ORDINALITY
        AS t (status, seq, n, at_us, prev, hash, position)
    ORDER BY t.position;
END
$$;
