-- Settings that apply from a later time on, such as phone hours for the next season.
alter table store_setting add column valid_from timestamptz;
alter table store_setting add constraint store_setting_not_backdated check (valid_from >= changed_at);
alter table store_setting add constraint store_setting_scheduled_names
  check (valid_from is null or name in ('phone-zone', 'phone-week', 'phone-holidays'));
comment on column store_setting.valid_from is 'When a scheduled value starts; null for immediately. A later row with the same start replaces it.';
