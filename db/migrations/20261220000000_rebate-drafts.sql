-- Rebates are drafts until staff schedule them, narrow their tires as promotions do, and can't be edited afterwards.
alter table rebate
  add column draft boolean not null default false,
  add column filter_id integer references tire_filter;
comment on column rebate.draft is 'Not scheduled, so that only staff see it.';
comment on column rebate.filter_id is 'Narrows its tires; null for all tires of its brand or model.';
comment on column rebate.retired_at is 'When staff ended it early. Purchases before that can still be claimed.';

-- One that was retired before its start never ran, as a draft.
update rebate set draft = true where retired_at <= starts_at;

create function rebate_is_never_edited() returns trigger language plpgsql as $$
declare
  schedule constant text[] := array['draft', 'ends_at', 'retired_at', 'version', 'changed_at', 'changed_by'];
begin
  if new.version <> old.version + 1 or new.id <> old.id then
    raise exception 'A rebate changes with the next version.' using errcode = 'check_violation', constraint = 'rebate_next_version';
  end if;
  if old.draft and new.draft then
    return null;
  end if;
  if (to_jsonb(new) - schedule) <> (to_jsonb(old) - schedule) then
    raise exception 'A rebate is edited only while it is a draft.' using errcode = 'check_violation', constraint = 'rebate_never_edited';
  end if;
  if new.ends_at > old.ends_at then
    raise exception 'A rebate only ends earlier than planned.' using errcode = 'check_violation', constraint = 'rebate_ends_earlier_only';
  end if;
  return null;
end $$;
create trigger rebate_never_edited after update on rebate for each row execute function rebate_is_never_edited();
comment on trigger rebate_never_edited on rebate is 'Shoppers claim a rebate on the terms that they bought for.';
