-- Tax is also counted by the authority it belongs to: the state, counties, cities and districts.
alter table report_figure drop constraint report_figure_kind_check;
alter table report_figure add constraint report_figure_kind_check check (kind in (
  'sale', 'brand', 'parcel', 'refund', 'promotion', 'cash',
  'job', 'no-show', 'shop-cancellation', 'rating',
  'supplier-ordered', 'supplier-filled', 'supplier-short', 'supplier-parcel',
  'cart', 'authority'));

-- Past days are counted again, now with the authorities of their taxes.
delete from report_day;
