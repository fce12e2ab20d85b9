-- Wrapping sessions' keys anew, after a rotation of the key-encryption key.

-- One at a time with the erasures, so that the key of a session that is being erased does not come back under another
-- version: an item whose key is gone is left out. Arrays of one length, an item each. Returns how many were stored.
CREATE FUNCTION ledger.wrap_again(
    sessions uuid[], versions integer[], unders text[], new_kek text, ivs bytea[], wraps bytea[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    stored bigint;
BEGIN
    IF cardinality(sessions) > 1000 THEN
        RAISE EXCEPTION 'at most 1000 keys at once' USING ERRCODE = 'DT003';
    END IF;
    LOCK TABLE ledger.erasing IN EXCLUSIVE MODE;
    INSERT INTO ledger.session_key (session, key_version, kek, iv, wrapped)
    SELECT k.session, k.key_version, new_kek, item.iv, item.wrapped
    FROM unnest(sessions, versions, unders, ivs, wraps) AS item (session, version, under, iv, wrapped)
    JOIN ledger.session_key AS k
        ON k.session = item.session AND k.key_version = item.version AND k.kek = item.under
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS stored = ROW_COUNT;
    RETURN stored;
END
$$;
REVOKE ALL ON FUNCTION ledger.wrap_again(uuid[], integer[], text[], text, bytea[], bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.wrap_again(uuid[], integer[], text[], text, bytea[], bytea[]) TO doublethink_gate;
