-- Zones that a warehouse does not ship to.
alter table warehouse
  add column unserved_zones text[] not null default '{}'
    check (unserved_zones <@ '{near,mid,far,AK,HI,TERRITORY}'::text[]);
comment on column warehouse.unserved_zones is 'Zones that it does not ship to: near, mid and far by distance in the contiguous states, and the regions elsewhere.';
