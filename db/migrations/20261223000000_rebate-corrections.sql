-- The name, claim address, and last days of a scheduled rebate can be corrected.
create or replace function rebate_is_never_edited() returns trigger language plpgsql as $$
declare
  allowed text[] := array['draft', 'retired_at', 'version', 'changed_at', 'changed_by'];
begin
  if new.version <> old.version + 1 or new.id <> old.id then
    raise exception 'A rebate changes with the next version.' using errcode = 'check_violation', constraint = 'rebate_next_version';
  end if;
  if old.draft and new.draft then
    return null;
  end if;
  if not old.draft and not new.draft then
    allowed := allowed || array['name', 'form_url', 'mail_to', 'ends_at', 'last_claim_on'];
  end if;
  if (to_jsonb(new) - allowed) <> (to_jsonb(old) - allowed) then
    raise exception 'The amount and tires of a rebate are edited only while it is a draft.' using errcode = 'check_violation', constraint = 'rebate_never_edited';
  end if;
  if new.ends_at <> old.ends_at and new.ends_at < new.changed_at then
    raise exception 'Purchases that a rebate was for stay in its period.' using errcode = 'check_violation', constraint = 'rebate_ends_in_past';
  end if;
  if new.last_claim_on < old.last_claim_on then
    raise exception 'A rebate can be claimed as long as shoppers bought for.' using errcode = 'check_violation', constraint = 'rebate_claims_until_later_only';
  end if;
  return null;
end $$;
comment on trigger rebate_never_edited on rebate is 'Shoppers claim a rebate for the amount and the tires that they bought for, at least until the day that they were shown.';
