UPDATE passkeys SET used = $2, proof = $3 WHERE id = $1
