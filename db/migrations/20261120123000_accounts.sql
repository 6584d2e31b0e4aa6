-- Who a shopper is when signed in. Passwords are the provider's; here is only who it says they are, and what their browsers are allowed.
create table account (
  id uuid primary key,
  email text check (length(email) between 3 and 254 and email = lower(email)),
  -- When the provider first said that the address is theirs. Until then it proves nothing.
  email_verified_at timestamptz,
  name text check (length(name) between 1 and 100),
  created_at timestamptz not null,
  check (email_verified_at is null or email is not null)
);
-- Nobody else's unverified claim can stand in the way of whose address it is.
create unique index account_by_verified_email on account (email) where email_verified_at is not null;

create table account_identity (
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  account_id uuid not null references account on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (issuer, subject, account_id)
);
create index account_identity_by_account on account_identity (account_id);

-- A sign-in under way: from the button to the way back from the provider.
create table sign_in_attempt (
  state text primary key check (length(state) = 32),
  nonce text not null,
  code_verifier text not null,
  return_path text not null check (return_path ~ '^/([^/\\]|$)'),
  -- A hash of what the browser that began holds: an answer that another browser brings is not taken.
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_attempt_by_time on sign_in_attempt (created_at);

create table account_session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  -- The browser holds the secret; who reads this table cannot sign in with it.
  secret_hash bytea not null check (octet_length(secret_hash) = 32),
  issuer text not null,
  subject text not null,
  -- The provider's tokens, sealed with a key that is not in the database.
  tokens bytea not null,
  -- Counts the renewals of the tokens: who waits for one sees that it is done.
  renewal integer not null default 0,
  -- While one request renews the tokens, the others wait.
  renewing_until timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  revoked_at timestamptz,
  -- A session is of an identity of its own account.
  foreign key (issuer, subject, account_id) references account_identity (issuer, subject, account_id) on delete cascade
);
create index account_session_by_account on account_session (account_id) where revoked_at is null;
create index account_session_by_time on account_session (created_at);

-- A cart, and the order it becomes, belong to whoever was signed in.
alter table cart add column account_id uuid references account on delete set null;
create index cart_by_account on cart (account_id, updated_at) where account_id is not null;
