-- Roles of the store's own, beside the seven that come with the product.
create table staff_role (
  slug text primary key check (slug ~ '^[a-z][a-z0-9-]{0,39}$' and slug <> 'new'),
  name text not null check (length(name) between 2 and 40),
  permissions text[] check (cardinality(permissions) between 1 and 200 and array_position(permissions, null) is null),
  version integer not null default 1 check (version >= 1),
  changed_at timestamptz,
  changed_by text check (length(changed_by) between 1 and 254),
  retired_at timestamptz,
  constraint staff_role_owners_manage_staff check (not permissions && '{staff.manage}'),
  constraint staff_role_own_whole check (num_nonnulls(permissions, changed_at, changed_by) in (0, 3)),
  constraint staff_role_built_in_stays check (permissions is not null or retired_at is null)
);
comment on table staff_role is 'Roles of staff: those that come with the product, and the store''s own.';
comment on column staff_role.permissions is 'What the store''s own role permits; null for a role whose permissions come with the product.';
comment on column staff_role.retired_at is 'Since when the role is given to no one else.';
comment on constraint staff_role_owners_manage_staff on staff_role is 'Only owners invite staff and change roles.';
create unique index staff_role_named_once on staff_role (lower(name)) where retired_at is null;

insert into staff_role (slug, name) values
  ('support', 'Support'), ('sales', 'Sales'), ('warehouse', 'Warehouse'), ('catalog', 'Catalog'),
  ('finance', 'Finance'), ('manager', 'Manager'), ('owner', 'Owner');

alter table staff_grant drop constraint staff_grant_role_check;
alter table staff_grant add constraint staff_grant_role_fkey foreign key (role) references staff_role (slug);
create index staff_grant_by_role on staff_grant (role) where revoked_at is null;
