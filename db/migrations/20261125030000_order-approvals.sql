-- How much a member of a company orders alone, and what waits for someone who may order more.
alter table company
  add column owner_order_limit_cents integer check (owner_order_limit_cents >= 0),
  add column buyer_order_limit_cents integer check (buyer_order_limit_cents >= 0);
comment on column company.owner_order_limit_cents is 'The most that one order of an owner may come to without an approval; null for no limit.';
comment on column company.buyer_order_limit_cents is 'The same for a buyer.';

alter table company_member
  add column order_limit text not null default 'role' check (order_limit in ('role', 'none', 'own')),
  add column order_limit_cents integer check (order_limit_cents >= 0),
  add column approves boolean not null default false,
  add constraint company_member_own_limit check ((order_limit = 'own') = (order_limit_cents is not null));
comment on column company_member.order_limit is 'Whether the limit of the role holds for this member, none, or one of their own.';
comment on column company_member.approves is 'Whether a buyer approves the orders of others, up to their own limit; owners always do.';

alter table cart drop constraint cart_state_check,
  add constraint cart_state_check check (state in ('open', 'waiting', 'ordered'));
comment on column cart.state is 'Waiting: submitted for an approval, and not to be changed meanwhile.';

create table order_approval (
  id uuid primary key,
  company_id uuid not null references company on delete cascade,
  cart_id uuid not null references cart on delete cascade,
  requested_by uuid references account on delete set null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  agreed_price text not null check (length(agreed_price) between 1 and 200),
  total_cents integer not null check (total_cents >= 0),
  conditions_accepted boolean not null,
  terms_accepted_at timestamptz not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references account on delete set null,
  reason text check (length(reason) between 1 and 500),
  order_id bigint unique references sales_order on delete cascade,
  constraint order_approval_decided check ((state = 'waiting') = (decided_at is null)),
  constraint order_approval_ordered check ((state = 'approved') = (order_id is not null)),
  constraint order_approval_reasoned check ((state = 'refused') = (reason is not null)),
  constraint order_approval_in_time check (state <> 'approved' or decided_at < expires_at),
  check (expires_at > requested_at)
);
comment on table order_approval is 'An order above its member''s limit, waiting for an approval, and what became of it.';
create unique index order_approval_waits_once on order_approval (cart_id) where state = 'waiting';
create index order_approval_by_cart on order_approval (cart_id);
create index order_approval_by_company on order_approval (company_id, id);
create index order_approval_by_requester on order_approval (requested_by) where requested_by is not null;
create index order_approval_by_decider on order_approval (decided_by) where decided_by is not null;
create index order_approval_ending on order_approval (expires_at) where state = 'waiting';

create function order_approval_life() returns trigger language plpgsql as $$
begin
  if old.state <> 'waiting' and (new.state, new.agreed_price, new.total_cents, new.cart_id, new.order_id, new.reason)
      is distinct from (old.state, old.agreed_price, old.total_cents, old.cart_id, old.order_id, old.reason) then
    raise exception 'The approval % was decided.', old.id using errcode = 'check_violation', constraint = 'order_approval_life';
  end if;
  return new;
end $$;
create trigger order_approval_life before update on order_approval for each row execute function order_approval_life();
comment on trigger order_approval_life on order_approval is 'What was decided stays decided.';

-- A cart waits exactly as long as its request does.
create function cart_waits_for_approval() returns trigger language plpgsql as $$
declare
  cart_key uuid;
begin
  cart_key := case when tg_table_name = 'cart' then (to_jsonb(new) ->> 'id')::uuid
    else (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'cart_id')::uuid end;
  if (select state = 'waiting' from cart where id = cart_key)
      is distinct from exists (select from order_approval where cart_id = cart_key and state = 'waiting')
      and exists (select from cart where id = cart_key) then
    raise exception 'Cart % waits without a request, or a request without its cart.', cart_key
      using errcode = 'check_violation', constraint = 'cart_waits_for_approval';
  end if;
  return null;
end $$;
create constraint trigger cart_waits_for_approval after update of state on cart deferrable initially deferred
  for each row when (old.state = 'waiting' or new.state = 'waiting') execute function cart_waits_for_approval();
comment on trigger cart_waits_for_approval on cart is 'A cart waits exactly as long as a request for approval does.';
create constraint trigger cart_waits_for_approval after insert or update or delete on order_approval deferrable initially deferred
  for each row execute function cart_waits_for_approval();
comment on trigger cart_waits_for_approval on order_approval is 'The same, seen from the request.';
