-- Shops take what the installer agreement names, or less, never more: agreement, profile and offers say the same.
update shop set
  rim_min_in = greatest(rim_min_in, 12), rim_max_in = least(rim_max_in, 22), aspect_min = greatest(aspect_min, 35)
where rim_min_in < 12 or rim_max_in > 22 or aspect_min < 35;
delete from shop_rate where rim_from_in > 22 or rim_to_in < 12;
update shop_rate set rim_from_in = greatest(rim_from_in, 12), rim_to_in = least(rim_to_in, 22)
where rim_from_in < 12 or rim_to_in > 22;

alter table shop add constraint shop_within_agreement check (rim_min_in >= 12 and rim_max_in <= 22 and aspect_min >= 35);
comment on constraint shop_within_agreement on shop is 'A shop takes no rim and aspect ratio outside of the installer agreement.';
alter table shop_rate add constraint shop_rate_within_agreement check (rim_from_in >= 12 and rim_to_in <= 22);
comment on constraint shop_rate_within_agreement on shop_rate is 'No price for a rim outside of the installer agreement.';
