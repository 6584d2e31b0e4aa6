-- Apps that act for an account with an access token of its sign-in provider. The token says what they may do; the owner says here whether.
create table account_app (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  issuer text not null,
  -- Who the app is at the provider, and what the provider calls it where its tokens say so.
  client_id text not null check (length(client_id) between 1 and 255),
  name text check (length(name) between 1 and 100),
  -- Of the token that was used last.
  scopes text[] not null,
  first_used_at timestamptz not null,
  last_used_at timestamptz not null,
  revoked_at timestamptz,
  unique (account_id, issuer, client_id)
);
