-- The append's turn, on a lock that only the append can take; and less work while it is held.

-- Whoever may connect may take any advisory lock, and with the append's he held up every gate. A lock on a table
-- needs a right on it: nobody has one on these, and the functions that take them run as their owner. Readers of
-- these tables, a dump for instance, do not stand in the way of an EXCLUSIVE lock. They hold no rows.
CREATE TABLE ledger.turn (nobody boolean);
CREATE TABLE ledger.erasing (nobody boolean);

-- The turn is held until the commit, which comes with the end of the statement for a gate. An eraser's transaction
-- takes it too, and a client that then does not commit would hold it for good: an append that has waited for five
-- seconds ends such a transaction if it is as old as that. Payload and redaction are both back then. For that
-- doublethink_owner has to be a member of doublethink_retention, as roles.sql makes it; without it there is only
-- the waiting. The owner's own transactions and a superuser's are not ended.
CREATE FUNCTION ledger.take_turn() RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
BEGIN
    LOOP
        BEGIN
            LOCK TABLE ledger.turn IN EXCLUSIVE MODE;
            RETURN;
        EXCEPTION WHEN lock_not_available THEN
            PERFORM pg_terminate_backend(l.pid)
            FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid
            WHERE l.locktype = 'relation' AND l.granted AND l.mode = 'ExclusiveLock'
                AND l.relation = 'ledger.turn'::regclass AND a.datname = current_database()
                AND a.usename = 'doublethink_retention'
                AND a.xact_start < clock_timestamp() - interval '5 seconds';
        END;
    END LOOP;
END
$$;
REVOKE ALL ON FUNCTION ledger.take_turn() FROM PUBLIC;

-- What a body says, read from its bytes: a body has one encoding (no white space, keys sorted, each once, and in a
-- string a quotation mark only behind a backslash), so that these bytes are a key and its value and nothing else. A
-- gate in wrong hands can write a body of another form, and thereby only rows that the sealer refuses to seal.
CREATE FUNCTION ledger.kind_of(body bytea) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN split_part(
    encode(substring(body FROM nullif(position('"kind":"'::bytea IN body), 0) + 8 FOR 14), 'escape'), '"', 1);
REVOKE ALL ON FUNCTION ledger.kind_of(bytea) FROM PUBLIC;

-- Whether a row changes what the checks of its session look at: a payload that may have been sent, or a response
-- that was stored. Blocked and held attempts do not.
CREATE FUNCTION ledger.changes_state(kind text, body bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE kind
    WHEN 'attempt' THEN
        position('"verdict":"allow"'::bytea IN body) > 0 OR position('"verdict":"rewrite"'::bytea IN body) > 0
    WHEN 'outcome' THEN position('"response":"'::bytea IN body) > 0
    ELSE false
END;
REVOKE ALL ON FUNCTION ledger.changes_state(text, bytea) FROM PUBLIC;

-- It answers as it did (0001 has the contract: arguments, statuses, SQLSTATEs). The ids are looked up only where a row
-- would be refused, or where the unique index finds one that was written before; then all is done once more. Both are
-- rare, and looking up every id cost a tenth of a call.
--
-- The plans are pinned to index look-ups: they are cached by long-lived connections, and those that are made while
-- the ledger is empty must fit when it is large. All rows of a call carry one time, read in its turn, and never less
-- than the last row's.
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
    no_statuses CONSTANT text[] := array_fill(NULL::text, ARRAY[batch_size]);
    no_numbers CONSTANT bigint[] := array_fill(NULL::bigint, ARRAY[batch_size]);
    no_hashes CONSTANT bytea[] := array_fill(NULL::bytea, ARRAY[batch_size]);
    no_flags CONSTANT boolean[] := array_fill(false, ARRAY[batch_size]);
    -- By item.
    kinds text[];
    changing boolean[];
    payload_fits boolean[];
    leads bytea[];
    body_hashes bytea[];
    slots integer[];
    statuses text[];
    seqs bigint[];
    ns bigint[];
    at_uss bigint[];
    prevs bytea[];
    hashes bytea[];

    -- One for each session of the call. A session's slot is the place of its first item.
    owners uuid[];
    owner_slots integer[];
    leasts bigint[];
    -- By slot.
    head_ns bigint[];
    head_hashes bytea[];
    change_ns bigint[];
    closed boolean[];
    lost boolean[];

    look_up_ids boolean := false;
    rows_before bigint;
    last_seq bigint;
    now_us bigint;
    now_bytes bytea;
    head record;
    known record;
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

    -- Read only: what is stored and hashed are the bytes as they came. A body that is not JSON ends the call here.
    SELECT array_agg(t.kind), array_agg(ledger.changes_state(t.kind, t.body)),
        array_agg((position('"commit":"'::bytea IN t.body) > 0) = t.has_payload),
        array_agg('\x0064746c31'::bytea || uuid_send(t.session)), array_agg(sha256(t.body))
    INTO kinds, changing, payload_fits, leads, body_hashes
    FROM (
        SELECT u.session, u.body, octet_length(u.ciphertext) > 0 AS has_payload,
            CASE WHEN json_typeof(convert_from(u.body, 'UTF8')::json) = 'object'
                THEN ledger.kind_of(u.body) END AS kind
        FROM unnest(sessions, bodies, ciphertexts) WITH ORDINALITY AS u (session, body, ciphertext, position)
        ORDER BY u.position
        -- Looked at once and not at every use.
        OFFSET 0
    ) AS t;

    SELECT array_agg(t.slot) INTO slots
    FROM (
        SELECT min(u.position) OVER (PARTITION BY u.session) AS slot
        FROM unnest(sessions) WITH ORDINALITY AS u (session, position)
        ORDER BY u.position
    ) AS t;
    SELECT array_agg(t.slot), array_agg(sessions[t.slot]), array_agg(t.least) INTO owner_slots, owners, leasts
    FROM (
        SELECT u.slot, min(u.expectation) FILTER (WHERE u.expectation >= 0) AS least
        FROM unnest(slots, expectations) AS u (slot, expectation)
        GROUP BY u.slot
    ) AS t;

    PERFORM ledger.take_turn();

    -- At most twice; the second time with the ids looked up.
    LOOP
    BEGIN
        SELECT e.seq, e.at_us INTO last_seq, now_us FROM ledger.entry AS e ORDER BY e.seq DESC LIMIT 1;
        last_seq := coalesce(last_seq, -1);
        rows_before := last_seq + 1;
        now_us := greatest(now_us, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
        now_bytes := int8send(now_us);
        statuses := no_statuses;
        seqs := no_numbers;
        ns := no_numbers;
        at_uss := no_numbers;
        prevs := no_hashes;
        hashes := no_hashes;

        head_ns := no_numbers;
        head_hashes := no_hashes;
        change_ns := no_numbers;
        closed := no_flags;
        lost := no_flags;

        -- change_n: the last row that changed the check state, if it lies after the least expectation; earlier ones
        -- decide nothing.
        FOR head IN
            SELECT s.slot, last.n, last.hash, last.kind = 'session.close' AS closed,
                CASE WHEN ledger.changes_state(last.kind, last.body) THEN last.n ELSE change.n END AS change_n
            FROM unnest(owner_slots, owners, leasts) AS s (slot, session, least)
            CROSS JOIN LATERAL (
                SELECT e.n, e.hash, ledger.kind_of(e.body) AS kind, e.body
                FROM ledger.entry AS e WHERE e.session = s.session ORDER BY e.n DESC LIMIT 1
            ) AS last
            LEFT JOIN LATERAL (
                SELECT e.n FROM ledger.entry AS e
                WHERE e.session = s.session AND s.least < last.n - 1 AND e.n > s.least AND e.n < last.n
                    AND ledger.changes_state(ledger.kind_of(e.body), e.body)
                ORDER BY e.n DESC LIMIT 1
            ) AS change ON true
        LOOP
            head_ns[head.slot] := head.n;
            head_hashes[head.slot] := head.hash;
            change_ns[head.slot] := head.change_n;
            closed[head.slot] := head.closed;
        END LOOP;

        FOR i IN 1..batch_size LOOP
            IF look_up_ids THEN
                -- Among the rows that are there, or among those that this call adds.
                SELECT * INTO known FROM (
                    SELECT e.seq, e.n, e.at_us, e.prev, e.hash,
                        e.session = sessions[i] AND e.body = bodies[i] AS same
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
                link := sha256(
                    leads[i] || int8send(head_n) || now_bytes || uuid_send(ids[i]) || link || body_hashes[i]);
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

        IF NOT look_up_ids AND last_seq + 1 - rows_before < batch_size THEN
            -- What is refused may be the repetition of a row that was not.
            look_up_ids := true;
            CONTINUE;
        END IF;

        INSERT INTO ledger.entry (seq, session, n, id, at_us, prev, body, hash)
        SELECT t.seq, t.session, t.n, t.id, t.at_us, t.prev, t.body, t.hash
        FROM unnest(statuses, seqs, sessions, ns, ids, at_uss, prevs, bodies, hashes)
            AS t (status, seq, session, n, id, at_us, prev, body, hash)
        WHERE t.status = 'appended';
        INSERT INTO ledger.payload (id, key_version, iv, ciphertext)
        SELECT t.id, t.key_version, t.iv, t.ciphertext
        FROM unnest(statuses, ids, key_versions, ivs, ciphertexts) AS t (status, id, key_version, iv, ciphertext)
        WHERE t.status = 'appended' AND octet_length(t.ciphertext) > 0;
        EXIT;
    EXCEPTION WHEN unique_violation THEN
        IF look_up_ids THEN
            RAISE;
        END IF;
        look_up_ids := true;
    END;
    END LOOP;
    RETURN QUERY
    SELECT t.position::integer - 1, t.status, t.seq, t.n, t.at_us, t.prev, t.hash
    FROM unnest(statuses, seqs, ns, at_uss, prevs, hashes) WITH ORDINALITY
        AS t (status, seq, n, at_us, prev, hash, position)
    ORDER BY t.position;
END
$$;

DROP FUNCTION ledger.changes_checks(jsonb);
DROP FUNCTION ledger.changes_check_state(bytea);

-- As they were in 0005 and 0006, with a lock that nobody else can take.
CREATE OR REPLACE FUNCTION ledger.store_checkpoint(
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
    LOCK TABLE ledger.checkpoint IN SHARE ROW EXCLUSIVE MODE;

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

CREATE OR REPLACE FUNCTION ledger.erase(targets uuid[], reason text, gate bytea, policy bytea)
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
    LOCK TABLE ledger.erasing IN EXCLUSIVE MODE;
    -- The checks of an open session read its payloads.
    IF EXISTS (
        SELECT FROM ledger.entry AS e
        WHERE e.id = ANY (targets) AND 'session.close' IS DISTINCT FROM (
            SELECT ledger.kind_of(last.body)
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
