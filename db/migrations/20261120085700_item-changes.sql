-- When an article was last written, so that lists of addresses can say since when its page is as it is. Stock and promotions come and go by themselves.
alter table item add column changed_at timestamptz not null default now();

create function item_changed() returns trigger language plpgsql as $$
begin
  new.changed_at = now();
  return new;
end $$;
create trigger item_changed before update on item for each row when (old is distinct from new) execute function item_changed();
