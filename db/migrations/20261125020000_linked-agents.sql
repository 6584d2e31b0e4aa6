-- A buyer linked their account with the platform of an agent: its carts and checkouts are then the account's, and open
-- with that person's token alone.
alter table agent_session add column account_id uuid references account on delete cascade;
create index agent_session_by_account on agent_session (account_id) where account_id is not null;
comment on column agent_session.account_id is 'Whose account it is, linked at the sign-in provider; null for a guest.';
