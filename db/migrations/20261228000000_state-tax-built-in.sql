-- Names the values that come with the store as the office does. The release before uses product and is_product,
-- so a trigger copies them until a later migration drops them.
alter table state_tax
  add column built_in jsonb constraint state_tax_built_in_check check (jsonb_typeof(built_in) = 'object'),
  add column is_built_in boolean not null default false,
  add constraint state_tax_built_in_known check (not is_built_in or built_in is not null);
comment on column state_tax.built_in is 'The built-in rate, fee and taxability when this was set; null if this was set before they were stored.';
comment on column state_tax.is_built_in is 'Whether the state has its built-in values from then on, including later updates. The other columns show the values at that time.';
comment on column state_tax.product is 'A copy of built_in for the release before. Unused.';
comment on column state_tax.is_product is 'A copy of is_built_in for the release before. Unused.';

create function state_tax_copies_built_in() returns trigger language plpgsql as $$
begin
  new.built_in := coalesce(new.built_in, new.product);
  new.product := new.built_in;
  new.is_built_in := new.is_built_in or new.is_product;
  new.is_product := new.is_built_in;
  return new;
end $$;
create trigger state_tax_copies_built_in before insert on state_tax for each row execute function state_tax_copies_built_in();

alter table state_tax disable trigger user;
update state_tax set built_in = product, is_built_in = is_product;
alter table state_tax enable trigger user;
