-- Staff can turn pickup off at a warehouse and leave its pickup hours, which its open orders still show.
alter table warehouse add column offers_pickup boolean not null default true;
comment on column warehouse.offers_pickup is 'Whether shoppers can choose to pick up there, in its pickup hours. Orders already placed are still picked up after it is turned off.';
