-- The id of a cart is its key: whoever has it opens the cart and the order it becomes. Signing in gives the cart a new
-- one, so what refers to a cart follows its id.
do $migration$
declare
  reference record;
begin
  for reference in
    select conrelid::regclass as referencing, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and confrelid = 'cart'::regclass order by conname
  loop
    execute format('alter table %s drop constraint %I', reference.referencing, reference.conname);
    execute format('alter table %s add constraint %I %s', reference.referencing, reference.conname,
      replace(reference.definition, 'REFERENCES cart(id)', 'REFERENCES cart(id) ON UPDATE CASCADE'));
  end loop;
end $migration$;

-- A decided approval keeps its cart, whatever the key of the cart is.
create or replace function order_approval_life() returns trigger language plpgsql as $function$
begin
  if old.state <> 'waiting' and (new.state, new.agreed_price, new.total_cents, new.order_id, new.reason)
      is distinct from (old.state, old.agreed_price, old.total_cents, old.order_id, old.reason) then
    raise exception 'The approval % was decided.', old.id using errcode = 'check_violation', constraint = 'order_approval_life';
  end if;
  return new;
end $function$;
