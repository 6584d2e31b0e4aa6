-- Privacy policy and terms are drafts until an owner published them. Those of a store that is open were public before.
insert into content_version (path, form_key, created_by, created_at, starts_at, published_by)
select path, gen_random_uuid(), 'an earlier release', now(), now(), 'an earlier release'
from unnest(array['policies/privacy-policy', 'policies/terms-of-use', 'policies/terms-of-sale']) as legal (path)
where (select is_open from store_state)
  and not exists (select from content_version earlier where earlier.path = legal.path and earlier.starts_at is not null);
