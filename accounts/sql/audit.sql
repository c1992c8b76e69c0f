-- An entry, unless the person has done the same at the same address within so many seconds; always with 0 of them.
-- An account may have been deleted since the request began: then its e-mail address is what is left.
-- :name note_thing
INSERT INTO accounts_auditentry
    (person_id, email, token, act, subject, number, datasource, address, time)
SELECT (SELECT id FROM accounts_user WHERE id = %(person)s FOR KEY SHARE), %(email)s, %(token)s, %(act)s, %(subject)s, %(number)s, %(datasource)s, %(address)s, now()
WHERE NOT EXISTS (
    SELECT FROM accounts_auditentry
    WHERE person_id = %(person)s AND act = %(act)s AND subject = %(subject)s AND number = %(number)s
      AND token = %(token)s AND address = %(address)s
      AND time > now() - make_interval(secs => %(seconds)s) AND time <= now() AND %(seconds)s > 0
)
