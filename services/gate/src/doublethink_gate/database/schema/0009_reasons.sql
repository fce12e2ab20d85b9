-- Why an attempt did not go as it was: rules, offsets and how each was found, encrypted under the session's key as the
-- payload is. Offsets say how long a value is, so that they stand in no row. They go with the payload, by whatever
-- hand: what is erased is not explained any more.
CREATE TABLE gate.reason (
    id uuid PRIMARY KEY REFERENCES ledger.payload (id) ON DELETE CASCADE,
    key_version integer NOT NULL CHECK (key_version > 0),
    iv bytea NOT NULL CHECK (octet_length(iv) = 12),
    ciphertext bytea NOT NULL CHECK (octet_length(ciphertext) BETWEEN 16 AND 131072)
);
GRANT SELECT, INSERT ON gate.reason TO doublethink_gate;
