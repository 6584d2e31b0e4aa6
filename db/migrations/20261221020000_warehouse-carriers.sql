-- The carriers that a warehouse ships with, for the labels that are bought and the tracking numbers that staff enter.
alter table warehouse add column carriers text[] not null default '{}'
  check (carriers <@ '{UPS,FedEx,USPS,OnTrac}'::text[]);
comment on column warehouse.carriers is 'The only carriers that it ships with; any carrier if empty.';
