-- A company that has members has an owner among them, also when the first of them comes in: whoever is invited by an owner who left since stays out.
create or replace function company_keeps_an_owner() returns trigger language plpgsql as $$
declare
  touched uuid;
begin
  foreach touched in array array_remove(array[old.company_id, new.company_id], null) loop
    perform from company where id = touched for no key update;
    if exists (select from company_member where company_id = touched)
      and not exists (select from company_member where company_id = touched and role = 'owner') then
      raise exception 'A company needs an owner.' using errcode = 'check_violation', constraint = 'company_has_an_owner';
    end if;
  end loop;
  return null;
end $$;
drop trigger company_has_an_owner on company_member;
-- Who came into a company without an owner has nobody there to answer for them: out, before the rule holds for everybody.
delete from company_member lost
where not exists (select from company_member owner where owner.company_id = lost.company_id and owner.role = 'owner');
create constraint trigger company_has_an_owner after insert or update or delete on company_member
  deferrable initially immediate for each row execute function company_keeps_an_owner();

-- Invitations end with the last owner.
update company_invitation set withdrawn_at = now()
where accepted_at is null and withdrawn_at is null
  and not exists (select from company_member owner where owner.company_id = company_invitation.company_id and owner.role = 'owner');
