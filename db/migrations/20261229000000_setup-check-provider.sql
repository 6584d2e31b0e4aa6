-- A check counts only for the provider account that it ran with. Keys can change before the store opens.
alter table setup_check
  add column provider text constraint setup_check_provider_check check (length(provider) between 1 and 64);
comment on column setup_check.provider is 'Identifies the provider account, as a hash of its address with its key or user; null for checks without one, and from earlier releases.';
