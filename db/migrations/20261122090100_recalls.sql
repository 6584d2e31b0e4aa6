-- Recalls of tires (49 CFR 573): campaigns with their ranges of tire identification numbers, who has such a tire, and who was told.
create table recall (
  id integer generated always as identity primary key,
  -- NHTSA's number of the campaign, as 26T-004.
  campaign text not null constraint recall_campaign_once unique check (campaign ~ '^[0-9]{2}T-[0-9]{3}$'),
  maker text not null check (length(maker) between 1 and 100),
  -- Null: every line of the maker within the ranges.
  line text check (length(line) between 1 and 200),
  -- Empty: every size.
  sizes text[] not null check (cardinality(sizes) <= 60),
  defect text not null check (length(defect) between 1 and 1000),
  remedy text not null check (length(remedy) between 1 and 1000),
  state text not null default 'draft' check (state in ('draft', 'open', 'closed')),
  drafted_at timestamptz not null,
  drafted_by text not null check (length(drafted_by) between 1 and 254),
  opened_at timestamptz,
  closed_at timestamptz,
  constraint recall_open_whole check ((state = 'draft') = (opened_at is null)),
  constraint recall_closed_whole check ((state = 'closed') = (closed_at is not null))
);
comment on table recall is 'A maker''s recall of tires, by its campaign at NHTSA.';
create index recall_of_maker on recall (lower(maker)) where state = 'open';

create table recall_range (
  recall_id integer not null references recall on delete cascade,
  -- The maker's plant: three characters in a number of 13, two in a shorter one.
  plant text not null check (plant ~ '^[A-HJ-NPR-Z0-9]{2,3}$'),
  -- What follows the plant, as far as the maker names it; empty for all of the plant.
  code text not null check (code ~ '^[A-HJ-NPR-Z0-9]{0,6}$'),
  -- Year and week, as 202534.
  from_week integer not null check (from_week between 200001 and 209953),
  to_week integer not null check (to_week between 200001 and 209953),
  primary key (recall_id, plant, code, from_week, to_week),
  constraint recall_range_forward check (from_week <= to_week)
);
comment on table recall_range is 'Which tire identification numbers a recall is about.';
create index recall_range_of_plant on recall_range (plant, from_week);

alter table tire_registration
  add column plant text not null generated always as (left(tin, case length(tin) when 13 then 3 else 2 end)) stored,
  add column made_week integer not null generated always as ((2000 + right(tin, 2)::integer) * 100 + left(right(tin, 4), 2)::integer) stored;
create index tire_registration_by_tin on tire_registration (plant, made_week);

create table recall_notice (
  recall_id integer not null references recall,
  registration_id bigint not null references tire_registration on delete cascade,
  order_id bigint not null references sales_order on delete cascade,
  -- The email that told the buyer; the tires of one order share it.
  message_key text not null check (length(message_key) between 1 and 200),
  told_at timestamptz not null,
  answer text check (answer in ('replaced', 'will-go', 'not-mine')),
  answered_at timestamptz,
  primary key (recall_id, registration_id),
  constraint recall_notice_answered_whole check ((answer is null) = (answered_at is null))
);
comment on table recall_notice is 'That the buyer of a registered tire was told of its recall: once for each tire and campaign.';
create index recall_notice_of_registration on recall_notice (registration_id);
create index recall_notice_of_order on recall_notice (order_id);

create function recall_moves() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('draft', 'open'), ('open', 'closed')) and new.state <> old.state then
    raise exception 'Recall % cannot become % from %.', new.campaign, new.state, old.state using errcode = 'check_violation', constraint = 'recall_life';
  end if;
  return new;
end $$;
create trigger recall_life before update on recall for each row execute function recall_moves();
comment on trigger recall_life on recall is 'A recall is drafted, opened and closed, in this order.';

-- One more kind of text, beside all that there are.
do $$
declare
  known text := (select pg_get_constraintdef(oid) from pg_constraint where conname = 'text_message_kind_check');
begin
  alter table text_message drop constraint text_message_kind_check;
  execute 'alter table text_message add constraint text_message_kind_check ' || replace(known, 'ARRAY[', 'ARRAY[''recall''::text, ');
end $$;
