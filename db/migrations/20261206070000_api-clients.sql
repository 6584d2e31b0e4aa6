-- Programs that use the back office through the API, each with a role.
create table api_client (
  id uuid primary key,
  issuer text not null check (length(issuer) between 1 and 300),
  client_id text not null check (client_id ~ '^[!-~]{1,200}$'),
  name text not null check (length(name) between 2 and 60),
  role text not null references staff_role (slug),
  version integer not null default 1 check (version >= 1),
  added_at timestamptz not null,
  added_by text not null check (length(added_by) between 1 and 254),
  changed_at timestamptz not null,
  changed_by text not null check (length(changed_by) between 1 and 254),
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_client_revoked_later check (revoked_at >= added_at)
);
comment on table api_client is 'Programs that read the back office through the API with tokens of the sign-in provider.';
comment on column api_client.client_id is 'As the program is registered at the sign-in provider.';
comment on column api_client.role is 'What its tokens may do at most; their scopes restrict it further.';
comment on column api_client.last_used_at is 'Updated at most once a minute.';
create unique index api_client_once on api_client (issuer, client_id) where revoked_at is null;
create index api_client_by_role on api_client (role) where revoked_at is null;
