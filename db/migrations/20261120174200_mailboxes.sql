-- The mailbox an address leads to, as domain/programs/referral-rules.ts has it: what follows a plus is its owner's own mark, and one large provider
-- ignores dots. Whoever has ordered under one spelling is known under every other.
create function mailbox_of(email text) returns text language sql immutable strict parallel safe return
  case when lower(email) ~ '@(gmail|googlemail)\.com$'
    then replace(split_part(regexp_replace(lower(email), '@[^@]*$', ''), '+', 1), '.', '') || '@gmail.com'
    else split_part(regexp_replace(lower(email), '@[^@]*$', ''), '+', 1) || '@' || substring(lower(email) from '[^@]*$')
  end;
create index customer_by_mailbox on customer (mailbox_of(email));
