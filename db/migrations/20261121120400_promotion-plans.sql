-- A promotion made in the office begins as a plan. Scheduling it creates the promotion; a change is a new plan that replaces it.
create table promotion_plan (
  id integer generated always as identity primary key,
  form_key uuid not null constraint promotion_plan_made_once unique,
  name text not null check (length(name) between 3 and 80),
  headline text not null check (length(headline) between 3 and 120),
  kind text not null check (kind in ('Flat Amount', 'Buy3Get1', 'Free', 'Percentage')),
  amount integer not null,
  brand_id integer references brand,
  product_line_id integer references product_line,
  item_id integer references item,
  funded_by text not null check (funded_by in ('store', 'maker', 'lender', 'bank')),
  replaces_id integer references promotion,
  promotion_id integer constraint promotion_plan_scheduled_once unique references promotion,
  created_by text not null check (length(created_by) between 1 and 254),
  created_at timestamptz not null,
  constraint promotion_plan_one_subject check (num_nonnulls(brand_id, product_line_id, item_id) <= 1),
  constraint promotion_plan_amount check (
    case kind when 'Percentage' then amount between 1 and 100 when 'Flat Amount' then amount between 1 and 100000 when 'Free' then amount between 1 and 8 else amount = 0 end
  ),
  constraint promotion_plan_other_version check (replaces_id <> promotion_id)
);
create index promotion_plan_drafts on promotion_plan (id desc) where promotion_id is null;
create index promotion_plan_by_replaced on promotion_plan (replaces_id);

drop index promotion_by_end;
create index promotion_by_end on promotion (ends_at, id);

-- After the row's own checks, so that those name what is wrong first.
create function promotion_is_never_edited() returns trigger language plpgsql as $$
begin
  if (new.slug, new.kind, new.amount, new.funded_by, new.already_applied, new.link_to_coverage, new.daily)
      is distinct from (old.slug, old.kind, old.amount, old.funded_by, old.already_applied, old.link_to_coverage, old.daily)
    or (new.name, new.headline, new.brand_id, new.product_line_id, new.item_id)
      is distinct from (old.name, old.headline, old.brand_id, old.product_line_id, old.item_id) then
    raise exception 'A promotion is not edited: replace it with a new version.' using errcode = 'check_violation', constraint = 'promotion_never_edited';
  end if;
  if (new.starts_at <> old.starts_at or new.ends_at > old.ends_at) and exists (select from promotion_plan where promotion_id = new.id) then
    raise exception 'A promotion only ends earlier than planned.' using errcode = 'check_violation', constraint = 'promotion_ends_earlier_only';
  end if;
  return null;
end $$;
create trigger promotion_never_edited after update on promotion for each row execute function promotion_is_never_edited();

create function promotion_plan_is_never_edited() returns trigger language plpgsql as $$
begin
  if (to_jsonb(new) - 'promotion_id') <> (to_jsonb(old) - 'promotion_id') then
    raise exception 'A plan is not edited: make a new one.' using errcode = 'check_violation', constraint = 'promotion_plan_never_edited';
  end if;
  return new;
end $$;
create trigger promotion_plan_never_edited before update on promotion_plan for each row execute function promotion_plan_is_never_edited();

comment on table promotion_plan is 'Promotions made in the office: drafts until promotion_id names the promotion that was scheduled from them.';
comment on column promotion_plan.replaces_id is 'The promotion that ends when this one starts.';
comment on trigger promotion_never_edited on promotion is 'Orders name promotions: what one takes off stays true, and it may only end earlier.';
comment on trigger promotion_plan_never_edited on promotion_plan is 'What was tested is what is scheduled.';
