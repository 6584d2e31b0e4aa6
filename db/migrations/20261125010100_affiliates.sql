-- Affiliates apply by a form of their own: writers and channels who send readers, without people who buy by a code.
alter table partner_application add kind text not null default 'partner' check (kind in ('partner', 'affiliate'));
alter table partner_application alter kind drop default;
alter table partner_application add channel text check (length(channel) between 8 and 300 and channel ~ '^https://[^\s<>"]+$');
alter table partner_application add constraint partner_application_channel check ((kind = 'affiliate') = (channel is not null));
alter table partner_application add constraint partner_application_affiliate_site check (kind <> 'affiliate' or site is not null);
comment on column partner_application.kind is 'A partner''s people buy at the partner price by its code; an affiliate sends readers, and has no code.';
comment on column partner_application.people is 'About how many: a partner''s people, an affiliate''s readers in a month.';
comment on column partner_application.channel is 'The address of an affiliate''s site or channel.';
drop index partner_application_once;
create unique index partner_application_once on partner_application (lower(email), lower(business), kind) where state = 'received';

alter table partner alter code drop not null;
comment on column partner.code is 'What its people type in; null for an affiliate.';
