-- A shop does alignments with jobs of its own: how long one takes is a part of its job lengths, and a job that has one is longer by it.
alter table shop_price_list add column alignment_minutes smallint not null default 60 check (alignment_minutes between 15 and 180);
comment on column shop_price_list.alignment_minutes is 'More for a job of the shop''s own that has a wheel alignment.';
alter table own_job add column alignment_minutes smallint check (alignment_minutes between 15 and 180);
comment on column own_job.alignment_minutes is 'How much of its time is for a wheel alignment; null for a job without one.';
alter table own_job add constraint own_job_longer_than_alignment check (
  alignment_minutes is null or kind <> 'block' and upper(during) - lower(during) > alignment_minutes * interval '1 minute');
