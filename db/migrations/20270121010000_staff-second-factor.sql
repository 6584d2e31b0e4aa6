-- The last sign-in of each staff member, and whether the sign-in provider reported a second factor.
alter table staff_grant
  add column signed_in_at timestamptz,
  add column second_factor boolean,
  add column second_factor_at timestamptz,
  add constraint staff_grant_signed_in_once_bound check (signed_in_at is null or bound_at is not null),
  add constraint staff_grant_second_factor_of_sign_in check (num_nonnulls(second_factor, second_factor_at) = 0 or signed_in_at is not null),
  add constraint staff_grant_second_factor_dated check (second_factor_at <= signed_in_at and (second_factor is not true or (second_factor_at is not null and second_factor_at = signed_in_at)));
comment on column staff_grant.signed_in_at is 'The last time this person opened the back office through the provider; null before the first time since this is recorded.';
comment on column staff_grant.second_factor is 'Whether the last sign-in used a second factor; null if the provider did not report it.';
comment on column staff_grant.second_factor_at is 'The last sign-in with a second factor.';
