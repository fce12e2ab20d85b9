-- What else a role could hold up by a lock, and what the sealer sees of payloads.

-- Whoever may delete from a table may lock it. Retention deletes a session's queries, and with them its results,
-- pages and facts, by this function and no longer by itself.
CREATE FUNCTION gate.forget(closed gate.session_id) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    deleted bigint;
BEGIN
    IF EXISTS (SELECT FROM gate.session AS s WHERE s.id = closed AND s.closed_us IS NULL) THEN
        RAISE EXCEPTION 'a session is not closed yet' USING ERRCODE = 'DT006';
    END IF;
    DELETE FROM gate.query AS q WHERE q.session = closed;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;
REVOKE ALL ON FUNCTION gate.forget(gate.session_id) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gate.forget(gate.session_id) TO doublethink_retention;
REVOKE DELETE ON gate.query FROM doublethink_retention;

-- A gate counts a tenant's sessions and opens one under this lock, which takes a right on the table that only gates
-- have. It holds no rows.
CREATE TABLE gate.opening (nobody boolean);
GRANT UPDATE ON gate.opening TO doublethink_gate;

-- Which payloads are there, and nothing of what is in them: a check of the whole log names those that went without a
-- redaction.
GRANT SELECT (id) ON ledger.payload TO doublethink_sealer;
GRANT EXECUTE ON FUNCTION ledger.about(bytea), ledger.session_name(uuid) TO doublethink_sealer;
