-- Versions of minimum advertised prices rise over all tires, so that a form for many tires finds those set after it was loaded.
create index item_by_map_version on item (map_version) where map_version > 1;
comment on column item.map_version is 'Each time minimum advertised prices are set, their tires get the next version of the store, so that a form based on an older one is rejected.';
