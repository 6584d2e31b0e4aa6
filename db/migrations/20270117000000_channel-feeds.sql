-- Product feeds for Meta and Microsoft.
alter table feed_ask drop constraint feed_ask_name_check;
alter table feed_ask add constraint feed_ask_name_check
  check (name ~ '^(products|regions|fitment|meta|microsoft|local-SW-[0-9]{5,9})$') not valid;
alter table feed_ask validate constraint feed_ask_name_check;
alter table feed_version drop constraint feed_version_name_check;
alter table feed_version add constraint feed_version_name_check
  check (name ~ '^(products|regions|fitment|meta|microsoft|local-SW-[0-9]{5,9})$') not valid;
alter table feed_version validate constraint feed_version_name_check;
