-- What the migrations come to: written by `npm run generate-types`, to be read and not to be run.

-- Who a shopper is when signed in.
create table account (
  id uuid not null,
  email text,
  email_verified_at timestamp with time zone,
  name text,
  created_at timestamp with time zone not null,
  brands_restricted boolean not null default false,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_check CHECK (((email_verified_at IS NULL) OR (email IS NOT NULL))),
  constraint account_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE INDEX account_by_email ON account USING btree (email text_pattern_ops);
CREATE INDEX account_by_part ON account USING gin (lower(((COALESCE(name, ''::text) || '
'::text) || COALESCE(email, ''::text))) gin_trgm_ops) WITH (fastupdate=off);
CREATE UNIQUE INDEX account_by_verified_email ON account USING btree (email) WHERE (email_verified_at IS NOT NULL);
CREATE INDEX account_by_word ON account USING gin (string_to_array(lower(name), ' '::text)) WITH (fastupdate=off);

-- Saved addresses of an account.
create table account_address (
  id uuid not null,
  account_id uuid not null,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  phone text not null,
  phone_extension text,
  phone_type text not null,
  added_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint account_address_pkey PRIMARY KEY (id),
  constraint account_address_phone_check CHECK ((phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$'::text)),
  constraint account_address_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint account_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX account_address_by_phone_end ON account_address USING btree ("right"(phone, 4));
CREATE INDEX account_address_by_zip ON account_address USING btree (zip);
CREATE UNIQUE INDEX account_address_once ON account_address USING btree (account_id, lower(address1), lower(COALESCE(address2, ''::text)), zip, lower(first_name), lower(last_name));

-- Programs that act for an account, and whether they still may.
create table account_app (
  id uuid not null,
  account_id uuid not null,
  issuer text not null,
  client_id text not null,
  name text,
  scopes text[] not null,
  first_used_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint account_app_pkey PRIMARY KEY (id),
  constraint account_app_account_id_issuer_client_id_key UNIQUE (account_id, issuer, client_id),
  constraint account_app_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 255))),
  constraint account_app_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint account_app_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

-- Brands an account is shown and sold; none means all.
create table account_brand (
  account_id uuid not null,
  brand_id integer not null,
  constraint account_brand_pkey PRIMARY KEY (account_id, brand_id),
  constraint account_brand_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_brand_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id) ON DELETE CASCADE
);

-- A document that proves an account type, such as an employee ID or a business license. Only staff read it.
create table account_document (
  id uuid not null,
  account_id uuid not null,
  file_name text not null,
  file_key uuid not null,
  added_at timestamp with time zone not null,
  added_by text not null,
  constraint account_document_pkey PRIMARY KEY (id),
  constraint account_document_file_key_key UNIQUE (file_key),
  constraint account_document_added_by_check CHECK (((length(added_by) >= 1) AND (length(added_by) <= 300))),
  constraint account_document_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 200))),
  constraint account_document_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_document_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key)
);
CREATE INDEX account_document_of_account ON account_document USING btree (account_id);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON account_document FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- A type that an account has for a time, and how it came by it.
create table account_grant (
  id uuid not null,
  account_id uuid not null,
  type text not null,
  how text not null,
  granted_by text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  promised_until timestamp with time zone,
  reason text, -- Why staff set the account type; null when it came in another way.
  constraint account_grant_pkey PRIMARY KEY (id),
  constraint account_grant_one_at_a_time EXCLUDE USING gist (account_id WITH =, tstzrange(starts_at, ends_at) WITH &&), -- An account has one type at a time.
  constraint account_grant_check CHECK ((starts_at < ends_at)),
  constraint account_grant_check1 CHECK (((promised_until IS NULL) OR (how = 'purchase'::text))),
  constraint account_grant_granted_by_check CHECK (((length(granted_by) >= 1) AND (length(granted_by) <= 200))),
  constraint account_grant_how_check CHECK ((how = ANY (ARRAY['invitation'::text, 'company-domain'::text, 'staff'::text, 'purchase'::text]))),
  constraint account_grant_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint account_grant_type_check CHECK ((type = ANY (ARRAY['EPP'::text, 'Fleet'::text, 'none'::text, 'Partner Program'::text, 'Retail'::text, 'Retail Member'::text, 'Sales Tool'::text, 'Special Order'::text, 'WholeSale'::text]))),
  constraint account_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX account_grant_promised ON account_grant USING btree (account_id, promised_until) WHERE (promised_until IS NOT NULL);

-- Sign-ins at a provider that open an account.
create table account_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null,
  created_at timestamp with time zone not null,
  constraint account_identity_pkey PRIMARY KEY (issuer, subject),
  constraint account_identity_issuer_subject_account_id_key UNIQUE (issuer, subject, account_id),
  constraint account_identity_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint account_identity_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX account_identity_by_account ON account_identity USING btree (account_id);

-- What an account remembers for its owner, in any browser.
create table account_personalization (
  account_id uuid not null,
  zip text,
  ga_client_id text,
  compared text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null,
  constraint account_personalization_pkey PRIMARY KEY (account_id),
  constraint account_personalization_compared_check CHECK ((cardinality(compared) <= 5)),
  constraint account_personalization_ga_client_id_check CHECK (((length(ga_client_id) >= 1) AND (length(ga_client_id) <= 64))),
  constraint account_personalization_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_personalization_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);

-- Recent searches of an account.
create table account_search (
  account_id uuid not null,
  path text not null,
  label text not null,
  searched_at timestamp with time zone not null,
  constraint account_search_pkey PRIMARY KEY (account_id, path),
  constraint account_search_label_check CHECK (((length(label) >= 1) AND (length(label) <= 60))),
  constraint account_search_path_check CHECK (((path ~ '^/([^/\\]|$)'::text) AND (length(path) <= 200))),
  constraint account_search_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

-- Browsers in which an account is signed in.
create table account_session (
  id uuid not null,
  account_id uuid not null,
  secret_hash bytea not null,
  issuer text not null,
  subject text not null,
  tokens bytea not null,
  renewal integer not null default 0,
  renewing_until timestamp with time zone,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  browser text,
  constraint account_session_pkey PRIMARY KEY (id),
  constraint account_session_browser_check CHECK (((length(browser) >= 1) AND (length(browser) <= 60))),
  constraint account_session_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint account_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_session_issuer_subject_account_id_fkey FOREIGN KEY (issuer, subject, account_id) REFERENCES account_identity(issuer, subject, account_id) ON DELETE CASCADE
);
CREATE INDEX account_session_by_account ON account_session USING btree (account_id) WHERE (revoked_at IS NULL);
CREATE INDEX account_session_by_time ON account_session USING btree (created_at);

-- The phone that gets texts about the orders of an account, once it has confirmed.
create table account_text (
  account_id uuid not null,
  phone text not null,
  asked_at timestamp with time zone not null,
  constraint account_text_pkey PRIMARY KEY (account_id),
  constraint account_text_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_text_phone_fkey FOREIGN KEY (phone) REFERENCES text_consent(phone)
);
CREATE INDEX account_text_by_phone ON account_text USING btree (phone);

-- The garage of an account.
create table account_vehicle (
  id uuid not null,
  account_id uuid not null,
  choice text not null,
  year smallint not null,
  make_slug text not null,
  model_slug text not null,
  added_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  mileage integer,
  mileage_on date,
  rotated_mileage integer,
  rotated_on date,
  rotation_due_on date,
  reminded_for date,
  wants_reminder boolean not null default true,
  constraint account_vehicle_pkey PRIMARY KEY (id),
  constraint account_vehicle_account_id_year_make_slug_model_slug_key UNIQUE (account_id, year, make_slug, model_slug),
  constraint account_vehicle_check CHECK (((mileage IS NULL) = (mileage_on IS NULL))),
  constraint account_vehicle_check1 CHECK (((rotated_mileage IS NULL) OR (rotated_on IS NOT NULL))),
  constraint account_vehicle_check2 CHECK (((rotation_due_on IS NULL) = (rotated_on IS NULL))),
  constraint account_vehicle_choice_check CHECK ((length(choice) <= 600)),
  constraint account_vehicle_mileage_check CHECK (((mileage >= 0) AND (mileage <= 2000000))),
  constraint account_vehicle_rotated_mileage_check CHECK (((rotated_mileage >= 0) AND (rotated_mileage <= 2000000))),
  constraint account_vehicle_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX account_vehicle_due ON account_vehicle USING btree (rotation_due_on) WHERE (wants_reminder AND (rotation_due_on IS DISTINCT FROM reminded_for));

-- Read for addresses without a page only.
create table address_redirect (
  from_path text not null,
  to_path text not null,
  added_at timestamp with time zone not null,
  added_by text not null,
  version integer not null default 1, -- Rises with each change, so that a form based on an older version is rejected.
  constraint address_redirect_pkey PRIMARY KEY (from_path),
  constraint address_redirect_added_by_check CHECK (((length(added_by) >= 1) AND (length(added_by) <= 254))),
  constraint address_redirect_from_path_check CHECK (((length(from_path) <= 300) AND (from_path ~ '^/[\x21-\x7e]*$'::text) AND (from_path = lower(from_path)))),
  constraint address_redirect_no_loop CHECK ((from_path <> lower(to_path))),
  constraint address_redirect_to_path_check CHECK (((length(to_path) <= 300) AND (to_path ~ '^/[\x21-\x7e]*$'::text))),
  constraint address_redirect_version_check CHECK ((version > 0))
);
CREATE INDEX address_redirect_by_target ON address_redirect USING btree (lower(to_path));
CREATE TRIGGER address_redirect_added AFTER INSERT ON address_redirect REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION address_redirect_ends();
CREATE TRIGGER address_redirect_changed AFTER UPDATE ON address_redirect REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION address_redirect_ends();

-- A cart or a checkout that a shopping agent opened, and the platform that may see it.
create table agent_session (
  id uuid not null,
  kind text not null,
  cart_id uuid not null,
  platform text not null,
  version text not null,
  webhook_url text,
  said jsonb not null default '{}'::jsonb,
  handover_key uuid not null,
  handed_over_at timestamp with time zone,
  canceled_at timestamp with time zone,
  told_digest text,
  looked_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  account_id uuid, -- Whose account it is, linked at the sign-in provider; null for a guest.
  constraint agent_session_pkey PRIMARY KEY (id),
  constraint agent_session_check CHECK (((handed_over_at IS NULL) OR (canceled_at IS NULL))),
  constraint agent_session_check1 CHECK (((kind = 'checkout'::text) OR ((handed_over_at IS NULL) AND (webhook_url IS NULL) AND (told_digest IS NULL)))),
  constraint agent_session_kind_check CHECK ((kind = ANY (ARRAY['cart'::text, 'checkout'::text]))),
  constraint agent_session_platform_check CHECK (((length(platform) >= 10) AND (length(platform) <= 500))),
  constraint agent_session_said_check CHECK (((jsonb_typeof(said) = 'object'::text) AND (length((said)::text) <= 20000))),
  constraint agent_session_told_digest_check CHECK ((length(told_digest) = 43)),
  constraint agent_session_version_check CHECK ((version ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  constraint agent_session_webhook_url_check CHECK (((length(webhook_url) >= 10) AND (length(webhook_url) <= 500))),
  constraint agent_session_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint agent_session_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX agent_session_by_account ON agent_session USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX agent_session_by_cart ON agent_session USING btree (cart_id);
CREATE INDEX agent_session_by_expiry ON agent_session USING btree (expires_at);
CREATE UNIQUE INDEX agent_session_one_cart ON agent_session USING btree (cart_id) WHERE (kind = 'cart'::text);
CREATE UNIQUE INDEX agent_session_one_checkout ON agent_session USING btree (cart_id) WHERE ((kind = 'checkout'::text) AND (canceled_at IS NULL));
CREATE INDEX agent_session_to_tell ON agent_session USING btree (looked_at NULLS FIRST) WHERE ((webhook_url IS NOT NULL) AND (canceled_at IS NULL));

-- Programs that read the back office through the API with tokens of the sign-in provider.
create table api_client (
  id uuid not null,
  issuer text not null,
  client_id text not null, -- As the program is registered at the sign-in provider.
  name text not null,
  role text not null, -- What its tokens may do at most; their scopes restrict it further.
  version integer not null default 1,
  added_at timestamp with time zone not null,
  added_by text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  last_used_at timestamp with time zone, -- Updated at most once a minute.
  revoked_at timestamp with time zone,
  constraint api_client_pkey PRIMARY KEY (id),
  constraint api_client_added_by_check CHECK (((length(added_by) >= 1) AND (length(added_by) <= 254))),
  constraint api_client_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint api_client_client_id_check CHECK ((client_id ~ '^[!-~]{1,200}$'::text)),
  constraint api_client_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 300))),
  constraint api_client_name_check CHECK (((length(name) >= 2) AND (length(name) <= 60))),
  constraint api_client_revoked_later CHECK ((revoked_at >= added_at)),
  constraint api_client_version_check CHECK ((version >= 1)),
  constraint api_client_role_fkey FOREIGN KEY (role) REFERENCES staff_role(slug)
);
CREATE INDEX api_client_by_role ON api_client USING btree (role) WHERE (revoked_at IS NULL);
CREATE UNIQUE INDEX api_client_once ON api_client USING btree (issuer, client_id) WHERE (revoked_at IS NULL);

-- What shoppers said of their appointments: that they come, come late, or do not come that day. The last one counts.
create table appointment_reply (
  booking_id uuid not null,
  reply_no smallint not null,
  starts_at timestamp with time zone not null,
  kind text not null,
  minutes_late smallint,
  replied_at timestamp with time zone not null,
  constraint appointment_reply_pkey PRIMARY KEY (booking_id, reply_no),
  constraint appointment_reply_kind_check CHECK ((kind = ANY (ARRAY['coming'::text, 'late'::text, 'not-coming'::text]))),
  constraint appointment_reply_late_by_minutes CHECK (((kind = 'late'::text) = (minutes_late IS NOT NULL))),
  constraint appointment_reply_minutes_late_check CHECK ((minutes_late = ANY (ARRAY[10, 20, 30]))),
  constraint appointment_reply_reply_no_check CHECK (((reply_no >= 1) AND (reply_no <= 50))),
  constraint appointment_reply_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE
);

-- Attempts within a window, counted for all processes together (columns of rate-limiter-flexible).
create table attempt_count (
  key text not null,
  points integer not null,
  expire bigint not null,
  constraint try_count_pkey PRIMARY KEY (key)
);

-- What staff did: who, what, before and after, why, from where and when. Only added to.
create table audit_entry (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  actor text not null,
  via text not null,
  network_key text,
  act text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  constraint audit_entry_pkey PRIMARY KEY (id),
  constraint audit_entry_act_check CHECK (((act ~ '^[a-z-]+\.[a-z-]+$'::text) AND (length(act) <= 60))),
  constraint audit_entry_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 254))),
  constraint audit_entry_network_key_check CHECK ((length(network_key) <= 64)),
  constraint audit_entry_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint audit_entry_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 254))),
  constraint audit_entry_via_check CHECK ((via = ANY (ARRAY['office'::text, 'command line'::text, 'sign-in'::text, 'api'::text])))
);
CREATE INDEX audit_entry_by_act ON audit_entry USING btree (act, id DESC);
CREATE INDEX audit_entry_by_actor ON audit_entry USING btree (actor, id DESC);
CREATE INDEX audit_entry_by_subject ON audit_entry USING btree (subject, id DESC);
CREATE INDEX audit_entry_by_time ON audit_entry USING btree (at, id);
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_is_added_to(); -- What was done stays said.

-- What the provider paid to a shop's bank; one that failed after it was paid stays failed.
create table bank_payout (
  ref text not null,
  shop_id integer not null,
  amount_cents integer not null,
  state text not null,
  arrives_on date not null,
  at timestamp with time zone not null,
  constraint bank_payout_pkey PRIMARY KEY (ref),
  constraint bank_payout_ref_check CHECK (((length(ref) >= 1) AND (length(ref) <= 255))),
  constraint bank_payout_state_check CHECK ((state = ANY (ARRAY['paid'::text, 'failed'::text]))),
  constraint bank_payout_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX bank_payout_of_shop ON bank_payout USING btree (shop_id, arrives_on);

-- A bay taken for a time: a hold of a cart, or the appointment of an order.
create table booking (
  id uuid not null,
  shop_id integer not null,
  bay_id integer not null,
  kind text not null,
  during tstzrange not null,
  drop_off_window text,
  drop_off_code text,
  state text not null,
  hold_expires_at timestamp with time zone,
  hold_extensions smallint not null default 0,
  cart_id uuid,
  order_id bigint,
  created_at timestamp with time zone not null,
  held_by text,
  stop_zip text, -- Where a van comes; null for a shop, and for bookings of vans from before their drives counted.
  constraint booking_pkey PRIMARY KEY (id),
  constraint booking_bay_taken_once EXCLUDE USING gist (bay_id WITH =, during WITH &&) WHERE ((state = ANY (ARRAY['held'::text, 'confirmed'::text]))), -- A bay lifts one car at a time.
  constraint booking_check CHECK (((kind = 'drop-off'::text) = (drop_off_window IS NOT NULL))),
  constraint booking_check1 CHECK (((kind = 'drop-off'::text) = (drop_off_code IS NOT NULL))),
  constraint booking_check2 CHECK (((state = 'held'::text) = (hold_expires_at IS NOT NULL))),
  constraint booking_check3 CHECK (((state <> 'held'::text) OR (cart_id IS NOT NULL))),
  constraint booking_check4 CHECK (((state <> ALL (ARRAY['confirmed'::text, 'done'::text, 'no-show'::text])) OR (order_id IS NOT NULL))),
  constraint booking_drop_off_window_check CHECK ((drop_off_window = ANY (ARRAY['AM'::text, 'PM'::text, 'EVE'::text]))),
  constraint booking_during_check CHECK (((NOT isempty(during)) AND lower_inc(during) AND (NOT upper_inc(during)))),
  constraint booking_forgets_holder CHECK (((held_by IS NULL) OR (state = 'held'::text))),
  constraint booking_hold_extensions_check CHECK ((hold_extensions >= 0)),
  constraint booking_kind_check CHECK ((kind = ANY (ARRAY['wait'::text, 'drop-off'::text, 'mobile'::text]))),
  constraint booking_state_check CHECK ((state = ANY (ARRAY['held'::text, 'confirmed'::text, 'done'::text, 'no-show'::text, 'canceled'::text, 'expired'::text]))),
  constraint booking_stop_of_van CHECK (((stop_zip IS NULL) OR (kind = 'mobile'::text))),
  constraint booking_stop_zip_check CHECK ((stop_zip ~ '^\d{5}$'::text)),
  constraint booking_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE,
  constraint booking_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint booking_shop_id_bay_id_fkey FOREIGN KEY (shop_id, bay_id) REFERENCES shop_bay(shop_id, id),
  constraint booking_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX booking_by_cart ON booking USING btree (cart_id, created_at);
CREATE INDEX booking_by_holder ON booking USING btree (held_by) WHERE (state = 'held'::text);
CREATE INDEX booking_by_order ON booking USING btree (order_id, created_at DESC) WHERE (order_id IS NOT NULL);
CREATE INDEX booking_by_shop ON booking USING gist (shop_id, during) WHERE (state = ANY (ARRAY['held'::text, 'confirmed'::text]));
CREATE INDEX booking_by_start ON booking USING btree (lower(during)) WHERE (state = ANY (ARRAY['confirmed'::text, 'done'::text, 'no-show'::text]));
CREATE INDEX booking_confirmed_by_start ON booking USING btree (lower(during)) WHERE (state = 'confirmed'::text);
CREATE INDEX booking_done_by_start ON booking USING btree (lower(during)) WHERE (state = 'done'::text);
CREATE INDEX booking_expiring ON booking USING btree (hold_expires_at) WHERE (state = 'held'::text);
CREATE INDEX booking_missed_by_start ON booking USING btree (lower(during)) WHERE (state = 'no-show'::text);
CREATE INDEX booking_of_shop_by_start ON booking USING btree (shop_id, lower(during)) WHERE (state = ANY (ARRAY['confirmed'::text, 'done'::text, 'no-show'::text]));
CREATE UNIQUE INDEX booking_one_hold_per_cart ON booking USING btree (cart_id) WHERE (state = 'held'::text);
CREATE UNIQUE INDEX booking_one_per_order ON booking USING btree (order_id) WHERE (state = 'confirmed'::text);
CREATE INDEX booking_upcoming ON booking USING btree (upper(during), order_id) WHERE (state = 'confirmed'::text);
CREATE CONSTRAINT TRIGGER booking_done_by_work_order AFTER UPDATE OF state ON booking DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state = 'done'::text) AND (old.state <> 'done'::text))) EXECUTE FUNCTION booking_done_by_work_order(); -- An appointment is done once its work order is finished.
CREATE TRIGGER booking_off_own_jobs BEFORE INSERT OR UPDATE OF bay_id, during, state ON booking FOR EACH ROW WHEN ((new.state = ANY (ARRAY['held'::text, 'confirmed'::text]))) EXECUTE FUNCTION keep_booking_off_own_jobs();
CREATE TRIGGER booking_van_reaches BEFORE INSERT OR UPDATE OF bay_id, during, state, stop_zip ON booking FOR EACH ROW WHEN (((new.stop_zip IS NOT NULL) AND (new.state = ANY (ARRAY['held'::text, 'confirmed'::text])))) EXECUTE FUNCTION keep_van_stops_apart();
CREATE TRIGGER booking_within_capacity BEFORE UPDATE OF bay_id, during, state ON booking FOR EACH ROW WHEN ((new.state = ANY (ARRAY['held'::text, 'confirmed'::text]))) EXECUTE FUNCTION keep_booking_in_capacity();
CREATE TRIGGER booking_within_capacity_new BEFORE INSERT ON booking FOR EACH ROW WHEN ((new.state = 'held'::text)) EXECUTE FUNCTION keep_booking_in_capacity();
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON booking REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON booking REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON booking REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER release_held_stock AFTER UPDATE OF state ON booking FOR EACH ROW WHEN (((old.state = 'held'::text) AND (new.state <> 'held'::text))) EXECUTE FUNCTION release_held_stock(); -- Tires are held no longer than the time they are held with.

-- Every change of a booking, with who and when.
create table booking_event (
  id bigint not null generated always as identity,
  booking_id uuid not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  member_id uuid, -- Shop team member who made the change; null for changes by customers and the store.
  constraint booking_event_pkey PRIMARY KEY (id),
  constraint booking_event_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint booking_event_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE SET NULL
);
CREATE INDEX booking_event_by_booking ON booking_event USING btree (booking_id);
CREATE INDEX booking_event_by_member ON booking_event USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX booking_event_by_time ON booking_event USING brin (at) WITH (pages_per_range='16');
CREATE CONSTRAINT TRIGGER team_emails_of_booking_event AFTER INSERT ON booking_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.to_state = 'confirmed'::text) OR ((new.to_state = 'canceled'::text) AND (new.from_state = 'confirmed'::text)))) EXECUTE FUNCTION notify_teams_of_booking_event(); -- Shops are emailed about appointments that are booked, changed and canceled.
CREATE CONSTRAINT TRIGGER webhooks_of_booking_event AFTER INSERT ON booking_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.to_state = ANY (ARRAY['confirmed'::text, 'done'::text])) OR ((new.to_state = 'canceled'::text) AND (new.from_state = 'confirmed'::text)))) EXECUTE FUNCTION tell_of_booking_event(); -- Endpoints are sent appointments that are booked, moved, canceled and completed.

-- Brands that are sold.
create table brand (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  tier text not null,
  about text not null,
  wordmark jsonb not null,
  logo_key text,
  retired boolean not null default false, -- Staff took all its tires off sale.
  constraint brand_pkey PRIMARY KEY (id),
  constraint brand_name_key UNIQUE (name),
  constraint brand_slug_key UNIQUE (slug),
  constraint brand_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint brand_tier_check CHECK ((tier = ANY (ARRAY['value'::text, 'mid'::text, 'premium'::text]))),
  constraint brand_logo_key_fkey FOREIGN KEY (logo_key) REFERENCES catalog_picture(key)
);
CREATE TRIGGER retire_items AFTER UPDATE OF retired ON brand FOR EACH ROW WHEN ((old.retired <> new.retired)) EXECUTE FUNCTION retire_items();

-- The latest ACES file of each brand.
create table brand_catalog (
  id integer not null generated always as identity,
  brand_id integer not null,
  company text not null,
  transferred_on date not null, -- The date in the file, shown with each fitment result that uses it.
  constraint brand_catalog_pkey PRIMARY KEY (id),
  constraint brand_catalog_brand_id_key UNIQUE (brand_id),
  constraint brand_catalog_company_check CHECK (((length(company) >= 1) AND (length(company) <= 100))),
  constraint brand_catalog_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id)
);

-- An item that its brand lists for a vehicle. It never raises a fitment result.
create table brand_fitment (
  id integer not null generated always as identity,
  catalog_id integer not null,
  item_id integer not null,
  make_slug text not null,
  model_slug text not null,
  first_year smallint not null,
  last_year smallint not null,
  submodel text,
  submodel_slug text not null default ''::text, -- The trim it is limited to; empty for all trims.
  axle text not null,
  quantity smallint not null,
  terms text not null default ''::text, -- The conditions that the brand states; empty without any.
  constraint brand_fitment_pkey PRIMARY KEY (id),
  constraint brand_fitment_axle_check CHECK ((axle = ANY (ARRAY['any'::text, 'front'::text, 'rear'::text]))),
  constraint brand_fitment_quantity_check CHECK (((quantity >= 1) AND (quantity <= 99))),
  constraint brand_fitment_terms_check CHECK ((length(terms) <= 500)),
  constraint brand_fitment_years CHECK ((first_year <= last_year)),
  constraint brand_fitment_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES brand_catalog(id),
  constraint brand_fitment_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id)
);
CREATE INDEX brand_fitment_by_catalog ON brand_fitment USING btree (catalog_id);
CREATE INDEX brand_fitment_by_vehicle ON brand_fitment USING btree (make_slug, model_slug, first_year);
CREATE UNIQUE INDEX brand_fitment_once ON brand_fitment USING btree (item_id, make_slug, model_slug, first_year, last_year, submodel_slug, axle, md5(terms));

-- The store under a shop's own name: name, logo, colors, dealer code and host name, and whether the office switched it on.
create table branded_store (
  shop_id integer not null,
  dealer_code text not null,
  name text not null,
  tagline text,
  brand_color text not null,
  accent_color text not null,
  logo text,
  host_name text,
  host_key text,
  host_verified_at timestamp with time zone,
  version integer not null default 1,
  saved_at timestamp with time zone not null,
  saved_by uuid not null,
  switched_on boolean not null default false,
  decided_at timestamp with time zone,
  decided_by text,
  off_reason text,
  constraint branded_store_pkey PRIMARY KEY (shop_id),
  constraint branded_store_dealer_code_key UNIQUE (dealer_code),
  constraint branded_store_accent_color_check CHECK ((accent_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint branded_store_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint branded_store_dealer_code_check CHECK ((dealer_code ~ '^[A-Z0-9]{4,16}$'::text)),
  constraint branded_store_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint branded_store_decided_whole CHECK ((((decided_at IS NULL) = (decided_by IS NULL)) AND ((NOT switched_on) OR ((decided_at IS NOT NULL) AND (off_reason IS NULL))))),
  constraint branded_store_host_key_check CHECK ((host_key ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint branded_store_host_name_check CHECK (((host_name ~ '^[a-z0-9-]{1,63}([.][a-z0-9-]{1,63})+$'::text) AND (length(host_name) <= 100))),
  constraint branded_store_host_whole CHECK ((((host_name IS NULL) = (host_key IS NULL)) AND ((host_verified_at IS NULL) OR (host_name IS NOT NULL)))),
  constraint branded_store_name_check CHECK (((length(name) >= 2) AND (length(name) <= 40))),
  constraint branded_store_off_reason_check CHECK (((length(off_reason) >= 1) AND (length(off_reason) <= 500))),
  constraint branded_store_tagline_check CHECK (((length(tagline) >= 1) AND (length(tagline) <= 60))),
  constraint branded_store_logo_fkey FOREIGN KEY (logo) REFERENCES store_logo(key),
  constraint branded_store_saved_by_fkey FOREIGN KEY (saved_by) REFERENCES shop_member(id),
  constraint branded_store_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE UNIQUE INDEX branded_store_host_once ON branded_store USING btree (host_name) WHERE (host_verified_at IS NOT NULL);

-- Scripts, styles and fonts of this release and those before, for pages that were written by another.
create table built_file (
  name text not null,
  is_brotli boolean not null,
  bytes bytea not null,
  superseded_at timestamp with time zone,
  constraint built_file_pkey PRIMARY KEY (name),
  constraint built_file_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 4194304))),
  constraint built_file_name_check CHECK ((name ~ '^[A-Za-z0-9._-]{1,120}$'::text))
);
CREATE INDEX built_file_by_age ON built_file USING btree (superseded_at) WHERE (superseded_at IS NOT NULL);

-- What staff set of the business terms, one row per change; the newest started row of a name applies, and the specification's value where there is none.
create table business_term (
  id bigint not null generated always as identity,
  name text not null,
  value integer not null, -- Whole cents, parts per million, days and so on, as the declaration of the name says.
  valid_from timestamp with time zone not null,
  set_at timestamp with time zone not null,
  set_by text not null,
  canceled_at timestamp with time zone, -- A scheduled change that was withdrawn before it started.
  canceled_by text,
  constraint business_term_pkey PRIMARY KEY (id),
  constraint business_term_canceled_before_it_starts CHECK ((canceled_at < valid_from)),
  constraint business_term_canceled_by_check CHECK (((length(canceled_by) >= 1) AND (length(canceled_by) <= 254))),
  constraint business_term_canceled_whole CHECK (((canceled_at IS NULL) = (canceled_by IS NULL))),
  constraint business_term_name_check CHECK (((name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(name) <= 60))),
  constraint business_term_not_backdated CHECK ((valid_from >= set_at)),
  constraint business_term_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 254))),
  constraint business_term_value_check CHECK (((value >= 0) AND (value <= 100000000)))
);
CREATE UNIQUE INDEX business_term_once ON business_term USING btree (name, valid_from) WHERE (canceled_at IS NULL);
CREATE TRIGGER business_term_append_only BEFORE DELETE OR UPDATE ON business_term FOR EACH ROW EXECUTE FUNCTION business_term_is_added_to(); -- Orders refer to the terms of the time they were placed: those stay known. A scheduled change can be canceled.
CREATE TRIGGER business_term_not_emptied BEFORE TRUNCATE ON business_term FOR EACH STATEMENT EXECUTE FUNCTION business_term_is_added_to();
CREATE TRIGGER business_term_raises_version AFTER INSERT OR UPDATE ON business_term FOR EACH STATEMENT EXECUTE FUNCTION business_term_raises_version();

-- Bookings that a kept change of capacity leaves outside of it, and who was shown that.
create table capacity_conflict (
  booking_id uuid not null,
  bay_id integer not null,
  during tstzrange not null,
  reason text not null,
  shown_to uuid,
  shown_at timestamp with time zone not null,
  constraint capacity_conflict_pkey PRIMARY KEY (booking_id, during),
  constraint capacity_conflict_reason_check CHECK ((reason = ANY (ARRAY['closed-day'::text, 'hours'::text, 'lunch'::text, 'bay'::text, 'drop-off'::text, 'technicians'::text]))),
  constraint capacity_conflict_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint capacity_conflict_shown_to_fkey FOREIGN KEY (shown_to) REFERENCES shop_member(id) ON DELETE SET NULL
);
CREATE INDEX capacity_conflict_by_member ON capacity_conflict USING btree (shown_to) WHERE (shown_to IS NOT NULL);

-- Declined cards, for the rules against card testing; forgotten after 30 days.
create table card_decline (
  id bigint not null generated always as identity,
  payment_id uuid not null,
  cart_id uuid,
  account_id uuid,
  email text,
  network_key text,
  card_fingerprint text,
  at timestamp with time zone not null,
  constraint card_decline_pkey PRIMARY KEY (id),
  constraint card_decline_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint card_decline_network_key_check CHECK ((length(network_key) <= 64)),
  constraint card_decline_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint card_decline_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint card_decline_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE CASCADE
);
CREATE INDEX card_decline_by_account ON card_decline USING btree (account_id, at) WHERE (account_id IS NOT NULL);
CREATE INDEX card_decline_by_cart ON card_decline USING btree (cart_id, at) WHERE (cart_id IS NOT NULL);
CREATE INDEX card_decline_by_email ON card_decline USING btree (lower(email), at) WHERE (email IS NOT NULL);
CREATE INDEX card_decline_by_network ON card_decline USING btree (network_key, at) WHERE (network_key IS NOT NULL);
CREATE INDEX card_decline_by_payment ON card_decline USING btree (payment_id);
CREATE INDEX card_decline_by_time ON card_decline USING btree (at);

-- Consents to save a card: with a payment, or on a page of the provider.
create table card_saving (
  id uuid not null,
  account_id uuid not null,
  payment_id uuid,
  hosted_ref text,
  consent_version text not null,
  consented_at timestamp with time zone not null,
  saved_at timestamp with time zone,
  constraint card_saving_pkey PRIMARY KEY (id),
  constraint card_saving_hosted_ref_key UNIQUE (hosted_ref),
  constraint card_saving_payment_id_key UNIQUE (payment_id),
  constraint card_saving_consent_version_check CHECK (((length(consent_version) >= 1) AND (length(consent_version) <= 20))),
  constraint card_saving_hosted_ref_check CHECK (((length(hosted_ref) >= 1) AND (length(hosted_ref) <= 255))),
  constraint card_saving_in_one_way CHECK ((num_nonnulls(payment_id, hosted_ref) <= 1)),
  constraint card_saving_account_id_fkey FOREIGN KEY (account_id) REFERENCES payment_customer(account_id) ON DELETE CASCADE,
  constraint card_saving_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
);
CREATE INDEX card_saving_by_account ON card_saving USING btree (account_id);
CREATE INDEX card_saving_by_age ON card_saving USING btree (consented_at);

-- Places where a carrier keeps a parcel for its receiver, as last read from the carrier.
create table carrier_location (
  id integer not null generated always as identity,
  carrier text not null,
  name text not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  place_ref text not null, -- The carrier's own id of the place.
  week jsonb not null, -- When it is open: an array of {weekday: 1 to 7 from Monday, opens, closes}, local time.
  holds_days smallint not null, -- How many days it keeps a parcel.
  read_at timestamp with time zone not null,
  constraint carrier_location_pkey PRIMARY KEY (id),
  constraint carrier_location_known_once UNIQUE (carrier, place_ref), -- A carrier's place is one row, however often it is found.
  constraint carrier_location_holds_days_check CHECK (((holds_days >= 1) AND (holds_days <= 60))),
  constraint carrier_location_week_check CHECK ((jsonb_typeof(week) = 'array'::text))
);
CREATE INDEX carrier_location_by_place ON carrier_location USING btree (latitude, longitude);

-- What a shopper means to buy, with how and where; becomes at most one order.
create table cart (
  id uuid not null,
  state text not null default 'open'::text, -- Waiting: submitted for an approval, and not to be changed meanwhile.
  version integer not null default 0,
  zip text,
  vehicle jsonb,
  fulfillment text,
  shop_id integer,
  carrier_location_id integer,
  roadside boolean not null default false,
  coverage_asked boolean not null default false,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  account_id uuid,
  referral_code text,
  referral_opened_at timestamp with time zone,
  uses_credit boolean not null default false,
  payment_method text not null default 'card'::text,
  quote_id bigint, -- The quote it was opened from; its prices count while the quote holds.
  coupon_id integer, -- The coupon that the shopper entered; domain/coupons decides whether it counts.
  dealer_shop_id integer, -- The branded store it was filled in; null for our own.
  pickup_warehouse_id smallint,
  widget_id text, -- The partner's widget the shopper came from last; null for none.
  widget_source text, -- What the partner calls the page with the widget; null where it has no name.
  is_check boolean not null default false, -- Opened by the payment page check, which deletes it. Reports leave it out.
  for_caller boolean not null default false, -- Opened by staff for a caller without an account. The first visitor to open the quote takes it over.
  constraint cart_pkey PRIMARY KEY (id),
  constraint cart_check CHECK (((shop_id IS NULL) OR (fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text])))),
  constraint cart_check1 CHECK (((carrier_location_id IS NULL) OR (fulfillment = 'carrier-pickup'::text))),
  constraint cart_check2 CHECK (((referral_code IS NULL) OR (referral_opened_at IS NOT NULL))),
  constraint cart_check3 CHECK (((widget_source ~ '^[A-Za-z0-9_.-]{1,40}$'::text) AND ((widget_source IS NULL) OR (widget_id IS NOT NULL)))),
  constraint cart_check_stays_open CHECK (((NOT is_check) OR ((state = 'open'::text) AND (account_id IS NULL)))),
  constraint cart_for_caller_unowned CHECK (((NOT for_caller) OR ((state = 'open'::text) AND (account_id IS NULL)))),
  constraint cart_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text, 'home'::text, 'carrier-pickup'::text, 'warehouse-pickup'::text]))),
  constraint cart_payment_method_check CHECK ((payment_method = ANY (ARRAY['card'::text, 'apple-pay'::text, 'google-pay'::text, 'paypal'::text, 'venmo'::text, 'klarna'::text, 'affirm'::text, 'afterpay'::text, 'lease'::text, 'loan'::text, 'store-card'::text, 'resolve'::text, 'net-terms'::text]))),
  constraint cart_pickup_warehouse CHECK (((pickup_warehouse_id IS NULL) OR (fulfillment = 'warehouse-pickup'::text))),
  constraint cart_state_check CHECK ((state = ANY (ARRAY['open'::text, 'waiting'::text, 'ordered'::text]))),
  constraint cart_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint cart_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint cart_coupon_id_fkey FOREIGN KEY (coupon_id) REFERENCES coupon(id) ON DELETE SET NULL,
  constraint cart_dealer_shop_id_fkey FOREIGN KEY (dealer_shop_id) REFERENCES branded_store(shop_id),
  constraint cart_pickup_warehouse_id_fkey FOREIGN KEY (pickup_warehouse_id) REFERENCES warehouse(id),
  constraint cart_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES sales_quote(id) ON DELETE SET NULL,
  constraint cart_referral_code_fkey FOREIGN KEY (referral_code) REFERENCES referral_link(code) ON DELETE SET NULL,
  constraint cart_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint cart_widget_id_fkey FOREIGN KEY (widget_id) REFERENCES partner_widget(id),
  constraint cart_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);
CREATE INDEX cart_by_account ON cart USING btree (account_id, updated_at) WHERE (account_id IS NOT NULL);
CREATE INDEX cart_by_coupon ON cart USING btree (coupon_id) WHERE (coupon_id IS NOT NULL);
CREATE INDEX cart_by_creation ON cart USING brin (created_at) WITH (pages_per_range='16');
CREATE INDEX cart_by_quote ON cart USING btree (quote_id) WHERE (quote_id IS NOT NULL);
CREATE INDEX cart_for_check ON cart USING btree (created_at) WHERE is_check;
CREATE UNIQUE INDEX cart_of_caller ON cart USING btree (quote_id) WHERE for_caller;
CREATE CONSTRAINT TRIGGER cart_waits_for_approval AFTER UPDATE OF state ON cart DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state = 'waiting'::text) OR (new.state = 'waiting'::text))) EXECUTE FUNCTION cart_waits_for_approval(); -- A cart waits exactly as long as a request for approval does.

-- Who pays for the order of a cart.
create table cart_billing (
  cart_id uuid not null,
  same_as_shipping boolean not null,
  name text not null,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  phone text not null,
  phone_type text not null,
  po_number text,
  updated_at timestamp with time zone not null,
  constraint cart_billing_pkey PRIMARY KEY (cart_id),
  constraint cart_billing_phone_check CHECK ((phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$'::text)),
  constraint cart_billing_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint cart_billing_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Who receives the order of a cart.
create table cart_contact (
  cart_id uuid not null,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state text not null,
  zip text not null,
  instructions text,
  vehicle_note text,
  email text not null,
  phone text not null,
  phone_extension text,
  phone_type text not null,
  updated_at timestamp with time zone not null,
  constraint cart_contact_pkey PRIMARY KEY (cart_id),
  constraint cart_contact_phone_check CHECK ((phone ~ '^(\+[1-9][0-9]{0,2})?[0-9]{10}$'::text)),
  constraint cart_contact_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint cart_contact_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- The vehicle that a fleet's cart is for, as entered in the checkout.
create table cart_fleet_vehicle (
  cart_id uuid not null,
  unit text,
  driver text,
  vin text,
  plate text,
  plate_state text,
  updated_at timestamp with time zone not null,
  constraint cart_fleet_vehicle_pkey PRIMARY KEY (cart_id),
  constraint cart_fleet_vehicle_driver_check CHECK (((length(driver) >= 1) AND (length(driver) <= 60))),
  constraint cart_fleet_vehicle_plate_check CHECK ((plate ~ '^[A-Z0-9]{1,8}$'::text)),
  constraint cart_fleet_vehicle_plate_state_check CHECK ((plate_state ~ '^[A-Z]{2}$'::text)),
  constraint cart_fleet_vehicle_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 20))),
  constraint cart_fleet_vehicle_vin_check CHECK ((vin ~ '^([A-HJ-NPR-Z0-9]{9})?[A-HJ-NPR-Z0-9]{8}$'::text)),
  constraint cart_fleet_vehicle_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Tires in a cart, with the price its shopper was shown.
create table cart_line (
  cart_id uuid not null,
  item_id integer not null,
  axle text not null,
  quantity smallint not null,
  coverage boolean not null default false,
  seen_unit_cents integer not null,
  added_at timestamp with time zone not null,
  constraint cart_line_pkey PRIMARY KEY (cart_id, item_id, axle),
  constraint cart_line_axle_check CHECK ((axle = ANY (ARRAY['all'::text, 'front'::text, 'rear'::text]))),
  constraint cart_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 40))),
  constraint cart_line_seen_unit_cents_check CHECK ((seen_unit_cents >= 0)),
  constraint cart_line_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint cart_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id)
);
CREATE INDEX cart_line_by_item ON cart_line USING btree (item_id);
CREATE TRIGGER cart_of_service_has_no_tires BEFORE INSERT ON cart_line FOR EACH ROW EXECUTE FUNCTION cart_of_service_has_no_tires(); -- A cart has tires or a service.

-- A link by which a person takes over what a program put in a cart.
create table cart_link (
  token_hash text not null,
  cart_id uuid not null,
  made_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  opened_cart_id uuid, -- The cart it became, whose key the program does not know.
  constraint cart_link_pkey PRIMARY KEY (token_hash),
  constraint cart_link_check CHECK ((expires_at > made_at)),
  constraint cart_link_check1 CHECK (((opened_at >= made_at) AND (opened_at < expires_at))),
  constraint cart_link_check2 CHECK ((opened_cart_id <> cart_id)),
  constraint cart_link_check3 CHECK (((opened_cart_id IS NULL) OR (opened_at IS NOT NULL))),
  constraint cart_link_token_hash_check CHECK ((token_hash ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint cart_link_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint cart_link_opened_cart_id_fkey FOREIGN KEY (opened_cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE INDEX cart_link_by_cart ON cart_link USING btree (cart_id);
CREATE INDEX cart_link_by_opened_cart ON cart_link USING btree (opened_cart_id) WHERE (opened_cart_id IS NOT NULL);

-- Parts that a cart has in addition to its tires.
create table cart_part (
  cart_id uuid not null,
  part_id integer not null,
  quantity smallint not null,
  added_at timestamp with time zone not null,
  constraint cart_part_pkey PRIMARY KEY (cart_id, part_id),
  constraint cart_part_quantity_check CHECK (((quantity >= 1) AND (quantity <= 40))),
  constraint cart_part_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint cart_part_part_id_fkey FOREIGN KEY (part_id) REFERENCES part(id)
);
CREATE INDEX cart_part_by_part ON cart_part USING btree (part_id);
CREATE TRIGGER cart_of_service_has_no_tires BEFORE INSERT ON cart_part FOR EACH ROW EXECUTE FUNCTION cart_of_service_has_no_tires(); -- A cart with a service has no parts.

-- The price a cart was last shown at, so that what moved can be said.
create table cart_quote (
  cart_id uuid not null,
  fingerprint text not null,
  breakdown jsonb not null,
  shown_at timestamp with time zone not null,
  dropped text[] not null default '{}'::text[], -- What the last change of the price took away, in sentences for the shopper.
  constraint cart_quote_pkey PRIMARY KEY (cart_id),
  constraint cart_quote_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- What the tax provider answered for a cart as it is, by a hash of what was asked; an estimate while it gives none.
create table cart_sales_tax (
  cart_id uuid not null,
  input_hash text not null,
  source text not null,
  answer jsonb,
  calculation_ref text,
  good_until timestamp with time zone not null,
  asked_at timestamp with time zone not null,
  constraint cart_sales_tax_pkey PRIMARY KEY (cart_id),
  constraint cart_sales_tax_answer_is_the_provider_s CHECK ((((source = 'provider'::text) = (answer IS NOT NULL)) AND ((source = 'provider'::text) = (calculation_ref IS NOT NULL)))),
  constraint cart_sales_tax_calculation_ref_check CHECK (((char_length(calculation_ref) >= 1) AND (char_length(calculation_ref) <= 255))),
  constraint cart_sales_tax_input_hash_check CHECK ((input_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint cart_sales_tax_source_check CHECK ((source = ANY (ARRAY['provider'::text, 'last-answer'::text, 'table'::text]))),
  constraint cart_sales_tax_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- The service that a cart books at its shop, without tires.
create table cart_service (
  cart_id uuid not null,
  service text not null,
  units smallint not null,
  added_at timestamp with time zone not null,
  constraint cart_service_pkey PRIMARY KEY (cart_id),
  constraint cart_service_service_check CHECK (((service ~ '^[a-z]+(-[a-z]+)*$'::text) AND (length(service) <= 40))),
  constraint cart_service_units_check CHECK (((units >= 1) AND (units <= 8))),
  constraint cart_service_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Carts whose shopper checked the box for texts, with the words beside it. The order asks the phone to confirm.
create table cart_text_wish (
  cart_id uuid not null,
  words text not null,
  wording smallint not null,
  agreed_at timestamp with time zone not null,
  constraint cart_text_wish_pkey PRIMARY KEY (cart_id),
  constraint cart_text_wish_wording_check CHECK ((wording > 0)),
  constraint cart_text_wish_words_check CHECK (((length(words) >= 1) AND (length(words) <= 600))),
  constraint cart_text_wish_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE
);

-- Pictures uploaded for the catalog, as WebP, by the hash of their bytes.
create table catalog_picture (
  key text not null,
  bytes bytea not null,
  added_at timestamp with time zone not null,
  constraint catalog_picture_pkey PRIMARY KEY (key),
  constraint catalog_picture_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 1048576))),
  constraint catalog_picture_key_check CHECK ((key ~ '^[0-9a-f]{32}$'::text))
);

-- Counts edits and published imports; each process empties its caches when the number changes.
create table catalog_version (
  id boolean not null default true,
  number bigint not null,
  constraint catalog_version_pkey PRIMARY KEY (id),
  constraint catalog_version_id_check CHECK (id)
);

-- Categories of tires, such as touring all-season; each of one type.
create table category (
  slug text not null,
  name text not null,
  type_slug text not null,
  definition text not null,
  position smallint not null,
  audience text not null default ''::text,
  version integer not null default 1, -- Rises with each change, so that a form can tell that it is out of date.
  retired boolean not null default false, -- Takes no new models.
  constraint category_pkey PRIMARY KEY (slug),
  constraint category_position_key UNIQUE ("position") DEFERRABLE,
  constraint category_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint category_version_check CHECK ((version >= 1)),
  constraint category_type_slug_fkey FOREIGN KEY (type_slug) REFERENCES tire_type(slug)
);
CREATE TRIGGER category_tire_type_in_use BEFORE INSERT OR UPDATE OF type_slug, retired ON category FOR EACH ROW WHEN ((NOT new.retired)) EXECUTE FUNCTION refuse_retired_tire_type(); -- A category in use belongs to a tire type in use.

-- Parts of a charge given back, each promised with a decision and kept by a job.
create table charge_refund (
  id uuid not null,
  payment_id uuid not null,
  amount_cents integer not null,
  key text not null,
  state text not null default 'promised'::text,
  attempt smallint not null default 1,
  provider_ref text,
  note text,
  promised_at timestamp with time zone not null,
  done_at timestamp with time zone,
  pending_ref text,
  constraint charge_refund_pkey PRIMARY KEY (id),
  constraint charge_refund_key_key UNIQUE (key),
  constraint charge_refund_pending_ref_key UNIQUE (pending_ref),
  constraint charge_refund_amount_cents_check CHECK ((amount_cents > 0)),
  constraint charge_refund_attempt_check CHECK (((attempt >= 1) AND (attempt <= 100))),
  constraint charge_refund_done_is_proven CHECK ((((state = 'done'::text) = (done_at IS NOT NULL)) AND ((state = 'done'::text) = (provider_ref IS NOT NULL)))),
  constraint charge_refund_key_check CHECK (((length(key) >= 1) AND (length(key) <= 60))),
  constraint charge_refund_note_check CHECK ((length(note) <= 500)),
  constraint charge_refund_pending_is_promised CHECK (((pending_ref IS NULL) OR (state = 'promised'::text))),
  constraint charge_refund_state_check CHECK ((state = ANY (ARRAY['promised'::text, 'done'::text, 'refused'::text]))),
  constraint charge_refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
);
CREATE INDEX charge_refund_by_payment ON charge_refund USING btree (payment_id);
CREATE INDEX charge_refund_by_time ON charge_refund USING btree (done_at) WHERE (state = 'done'::text);
CREATE INDEX charge_refund_of_others ON charge_refund USING btree (promised_at, id) WHERE (key !~~ 'order-refund:%'::text);
CREATE INDEX charge_refund_open ON charge_refund USING btree (state, promised_at, id) WHERE (state = ANY (ARRAY['promised'::text, 'refused'::text]));
CREATE TRIGGER refunds_within_charge BEFORE INSERT OR UPDATE OF amount_cents, state ON charge_refund FOR EACH ROW EXECUTE FUNCTION refunds_within_charge(); -- Promised and given back, the refunds of a charge stay within it.

-- Businesses that accounts buy for, with their terms and PO rule.
create table company (
  id uuid not null,
  kind text not null,
  name text not null,
  state text not null default 'applied'::text,
  phone text not null,
  vehicles integer not null,
  about text not null default ''::text,
  applied_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  po_rule text not null default 'optional'::text,
  po_mask text,
  net_days smallint,
  credit_limit_cents integer,
  brands_restricted boolean not null default false,
  price_list_id integer, -- The list its members buy by; null: that of their account type.
  resolve_customer_id text, -- Its customer ID at Resolve, which grants it net terms; null for a company without.
  fleet_packet boolean not null default false, -- Whether its orders need a PO number, and their jobs a whole fleet packet.
  owner_order_limit_cents integer, -- The most that one order of an owner may come to without an approval; null for no limit.
  buyer_order_limit_cents integer, -- The same for a buyer.
  constraint company_pkey PRIMARY KEY (id),
  constraint company_resolve_customer_unique UNIQUE (resolve_customer_id),
  constraint company_about_check CHECK ((length(about) <= 2000)),
  constraint company_buyer_order_limit_cents_check CHECK ((buyer_order_limit_cents >= 0)),
  constraint company_check CHECK (((state = 'applied'::text) = (decided_at IS NULL))),
  constraint company_check1 CHECK (((decided_at IS NULL) = (decided_by IS NULL))),
  constraint company_check2 CHECK (((net_days IS NULL) = (credit_limit_cents IS NULL))),
  constraint company_credit_is_approved CHECK (((net_days IS NULL) OR (state = ANY (ARRAY['approved'::text, 'closed'::text])))), -- Only approved companies have terms.
  constraint company_credit_limit_cents_check CHECK ((credit_limit_cents > 0)),
  constraint company_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint company_kind_check CHECK ((kind = ANY (ARRAY['fleet'::text, 'special-order'::text]))),
  constraint company_name_check CHECK (((length(name) >= 2) AND (length(name) <= 100))),
  constraint company_net_days_check CHECK (((net_days >= 1) AND (net_days <= 120))),
  constraint company_owner_order_limit_cents_check CHECK ((owner_order_limit_cents >= 0)),
  constraint company_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint company_po_mask_check CHECK ((po_mask ~ '^[A-Za-z0-9#?* ./_-]{1,40}$'::text)),
  constraint company_po_rule_check CHECK ((po_rule = ANY (ARRAY['required'::text, 'optional'::text, 'off'::text]))),
  constraint company_resolve_customer_is_an_id CHECK ((resolve_customer_id ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
  constraint company_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'approved'::text, 'refused'::text, 'closed'::text]))),
  constraint company_vehicles_check CHECK (((vehicles >= 1) AND (vehicles <= 100000))),
  constraint company_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_list(id)
);
CREATE INDEX company_by_name ON company USING btree (lower(name) text_pattern_ops);
CREATE INDEX company_by_name_part ON company USING gin (lower(name) gin_trgm_ops);
CREATE INDEX company_by_phone_end ON company USING btree ("right"(phone, 4));
CREATE INDEX company_by_price_list ON company USING btree (price_list_id, name) WHERE (price_list_id IS NOT NULL);
CREATE INDEX company_by_state ON company USING btree (state, applied_at) WHERE (state = 'applied'::text);
CREATE INDEX company_by_state_newest ON company USING btree (state, applied_at DESC, id DESC);
CREATE INDEX company_by_word ON company USING gin (string_to_array(lower(name), ' '::text));

-- Brands a company's members are shown and sold; none means all.
create table company_brand (
  company_id uuid not null,
  brand_id integer not null,
  constraint company_brand_pkey PRIMARY KEY (company_id, brand_id),
  constraint company_brand_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id) ON DELETE CASCADE,
  constraint company_brand_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);

-- Mail domains whose people may join a company.
create table company_domain (
  domain text not null,
  company_id uuid not null,
  role text not null default 'buyer'::text,
  approved_by text not null,
  approved_at timestamp with time zone not null,
  constraint company_domain_pkey PRIMARY KEY (domain),
  constraint company_domain_approved_by_check CHECK (((length(approved_by) >= 1) AND (length(approved_by) <= 100))),
  constraint company_domain_domain_check CHECK (((domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text) AND (length(domain) <= 253))),
  constraint company_domain_role_check CHECK ((role = ANY (ARRAY['buyer'::text, 'viewer'::text]))),
  constraint company_domain_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE INDEX company_domain_by_company ON company_domain USING btree (company_id);

-- Tax exemption certificates of a company, by state.
create table company_exemption (
  id uuid not null,
  company_id uuid not null,
  state_code text not null,
  certificate_number text not null,
  expires_on date not null,
  state text not null default 'waiting'::text,
  sent_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  file_name text not null,
  file_key uuid not null,
  constraint company_exemption_pkey PRIMARY KEY (id),
  constraint company_exemption_file UNIQUE (file_key),
  constraint company_exemption_certificate_number_check CHECK (((length(certificate_number) >= 1) AND (length(certificate_number) <= 40))),
  constraint company_exemption_check CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
  constraint company_exemption_check1 CHECK (((decided_at IS NULL) = (decided_by IS NULL))),
  constraint company_exemption_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint company_exemption_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 120))),
  constraint company_exemption_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'accepted'::text, 'refused'::text]))),
  constraint company_exemption_state_code_check CHECK ((state_code ~ '^[A-Z]{2}$'::text)),
  constraint company_exemption_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE,
  constraint company_exemption_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key)
);
CREATE INDEX company_exemption_by_company ON company_exemption USING btree (company_id, state_code, expires_on);
CREATE UNIQUE INDEX company_exemption_waiting_once ON company_exemption USING btree (company_id, state_code) WHERE (state = 'waiting'::text);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON company_exemption FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Invitations to a company that are open.
create table company_invitation (
  id uuid not null,
  company_id uuid not null,
  email text not null,
  role text not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint company_invitation_pkey PRIMARY KEY (id),
  constraint company_invitation_check CHECK ((created_at < expires_at)),
  constraint company_invitation_check1 CHECK ((num_nonnulls(accepted_at, withdrawn_at) <= 1)),
  constraint company_invitation_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint company_invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'buyer'::text, 'viewer'::text]))),
  constraint company_invitation_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE,
  constraint company_invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES account(id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX company_invitation_open_once ON company_invitation USING btree (company_id, email) WHERE ((accepted_at IS NULL) AND (withdrawn_at IS NULL));

-- Accounts of a company, as owner, buyer or viewer.
create table company_member (
  account_id uuid not null,
  company_id uuid not null,
  role text not null,
  joined_at timestamp with time zone not null,
  order_limit text not null default 'role'::text, -- Whether the limit of the role holds for this member, none, or one of their own.
  order_limit_cents integer,
  approves boolean not null default false, -- Whether a buyer approves the orders of others, up to their own limit; owners always do.
  constraint company_member_pkey PRIMARY KEY (account_id),
  constraint company_member_order_limit_cents_check CHECK ((order_limit_cents >= 0)),
  constraint company_member_order_limit_check CHECK ((order_limit = ANY (ARRAY['role'::text, 'none'::text, 'own'::text]))),
  constraint company_member_own_limit CHECK (((order_limit = 'own'::text) = (order_limit_cents IS NOT NULL))),
  constraint company_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'buyer'::text, 'viewer'::text]))),
  constraint company_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint company_member_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE INDEX company_member_by_company ON company_member USING btree (company_id);
CREATE CONSTRAINT TRIGGER company_has_an_owner AFTER INSERT OR DELETE OR UPDATE ON company_member DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION company_keeps_an_owner(); -- A company with members has an owner.

-- The latest price of a tire at each competitor.
create table competitor_price (
  id integer not null generated always as identity,
  item_id integer not null,
  competitor text not null,
  competitor_slug text not null,
  price_cents integer not null,
  seen_on date not null, -- The day on which the competitor had this price.
  constraint competitor_price_pkey PRIMARY KEY (id),
  constraint competitor_price_item_id_competitor_slug_key UNIQUE (item_id, competitor_slug),
  constraint competitor_price_competitor_check CHECK (((length(competitor) >= 1) AND (length(competitor) <= 60))),
  constraint competitor_price_competitor_slug_check CHECK (((length(competitor_slug) >= 1) AND (length(competitor_slug) <= 60))),
  constraint competitor_price_price_cents_check CHECK (((price_cents >= 1) AND (price_cents <= 1000000))),
  constraint competitor_price_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE
);

-- Each row is money or a price reduction that staff gave, or requested a second person's approval for.
create table concession (
  id uuid not null,
  kind text not null,
  reference text not null, -- The record that the concession is about, such as the refund's id. Unique among requests of a kind.
  state text not null,
  order_id bigint,
  shop_id integer,
  amount_cents integer not null,
  is_over_limit boolean not null, -- True if the concession exceeds what one person may give.
  requested_by text not null,
  requested_at timestamp with time zone not null,
  decided_by text,
  decided_at timestamp with time zone,
  recipient text, -- Who gets it, for kinds that are limited by person, such as store credit; null for others.
  constraint concession_pkey PRIMARY KEY (id),
  constraint concession_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint concession_decided CHECK ((((state = 'requested'::text) = (decided_by IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)))),
  constraint concession_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint concession_in_time CHECK (((decided_at IS NULL) OR (decided_at >= requested_at))),
  constraint concession_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'price-guarantee'::text, 'coverage-claim'::text, 'pay-adjustment'::text, 'pay-deduction'::text, 'change-waiver'::text, 'store-credit'::text, 'quote'::text, 'coupon'::text, 'promotion'::text, 'price-list'::text, 'payment-offer'::text]))),
  constraint concession_recipient_check CHECK (((length(recipient) >= 1) AND (length(recipient) <= 200))),
  constraint concession_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint concession_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 254))),
  constraint concession_second_person CHECK (((NOT is_over_limit) OR (state <> 'given'::text) OR (decided_by <> requested_by))),
  constraint concession_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'given'::text, 'declined'::text]))),
  constraint concession_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint concession_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX concession_alone_by_order ON concession USING btree (order_id) WHERE ((state = 'given'::text) AND (decided_by = requested_by));
CREATE INDEX concession_alone_by_person ON concession USING btree (decided_by, decided_at) WHERE ((state = 'given'::text) AND (decided_by = requested_by));
CREATE INDEX concession_alone_by_recipient ON concession USING btree (recipient, decided_at) WHERE ((recipient IS NOT NULL) AND (state = 'given'::text) AND (decided_by = requested_by));
CREATE INDEX concession_alone_by_shop ON concession USING btree (shop_id, decided_at) WHERE ((state = 'given'::text) AND (decided_by = requested_by));
CREATE INDEX concession_by_reference ON concession USING btree (kind, reference);
CREATE INDEX concession_of_order ON concession USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX concession_requested_once ON concession USING btree (kind, reference) WHERE (state = 'requested'::text);

-- Versions of content pages as staff write them: drafts until they have a start; the next one replaces them. Without a text, the one that was released.
create table content_version (
  id integer not null generated always as identity,
  path text not null,
  form_key uuid not null,
  title text,
  description text,
  body text,
  created_by text not null,
  created_at timestamp with time zone not null,
  starts_at timestamp with time zone,
  published_by text,
  constraint content_version_pkey PRIMARY KEY (id),
  constraint content_version_made_once UNIQUE (form_key),
  constraint content_version_starts_alone UNIQUE (path, starts_at),
  constraint content_version_body_check CHECK (((length(body) >= 1) AND (length(body) <= 20000))),
  constraint content_version_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint content_version_description_check CHECK (((length(description) >= 20) AND (length(description) <= 160))),
  constraint content_version_path_check CHECK ((path ~ '^(policies|pages|own|parts)/[a-z0-9-]{1,80}$'::text)),
  constraint content_version_published_by CHECK (((starts_at IS NULL) = (published_by IS NULL))),
  constraint content_version_published_by_check CHECK (((length(published_by) >= 1) AND (length(published_by) <= 254))),
  constraint content_version_title_check CHECK (((length(title) >= 3) AND (length(title) <= 80))),
  constraint content_version_whole CHECK ((num_nulls(title, description, body) = ANY (ARRAY[0, 3])))
);
CREATE INDEX content_version_by_path ON content_version USING btree (path, id DESC);
CREATE TRIGGER content_version_never_edited AFTER UPDATE ON content_version FOR EACH ROW EXECUTE FUNCTION content_version_is_never_edited(); -- What was previewed is what is published.

-- Coupons: drafts until they have times; never edited, a change is a new version.
create table coupon (
  id integer not null generated always as identity,
  form_key uuid not null,
  code text not null,
  name text not null,
  kind text not null,
  amount integer not null,
  brand_id integer,
  product_line_id integer,
  item_id integer,
  service text, -- What a Free coupon frees, unless it is a tire (item_id).
  funded_by text not null,
  stacks boolean not null, -- Whether it also works on tires with an item promotion.
  uses_most integer not null,
  person_most smallint not null,
  replaces_id integer, -- The version that ends when this one starts.
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  minimum_cents integer, -- What its tires cost at least, after their promotions; null without a minimum.
  advertised boolean not null default false, -- Whether a shopper whose code does not work is told of this one.
  filter_id integer, -- Narrows its tires; null for all tires of its brand, model, or item.
  version integer not null default 1, -- Rises with each change of a draft, so that a form can tell that it is out of date.
  constraint coupon_pkey PRIMARY KEY (id),
  constraint coupon_made_once UNIQUE (form_key),
  constraint coupon_person_named UNIQUE (id, person_most),
  constraint coupon_uses_named UNIQUE (id, uses_most),
  constraint coupon_code_once_at_a_time EXCLUDE USING gist (code WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((starts_at IS NOT NULL)),
  constraint coupon_amount CHECK (
CASE kind
    WHEN 'Percentage'::text THEN ((amount >= 1) AND (amount <= 100))
    WHEN 'Flat Amount'::text THEN ((amount >= 1) AND (amount <= 100000))
    WHEN 'Free'::text THEN ((amount >= 1) AND (amount <= 8))
    ELSE (amount = 0)
END),
  constraint coupon_code_check CHECK ((code ~ '^[A-Z0-9]{4,20}$'::text)),
  constraint coupon_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint coupon_filter_of_many CHECK (((filter_id IS NULL) OR (num_nonnulls(item_id, service) = 0))),
  constraint coupon_free_thing CHECK (
CASE kind
    WHEN 'Free'::text THEN (num_nonnulls(item_id, service) = 1)
    ELSE (service IS NULL)
END),
  constraint coupon_funded_by_check CHECK ((funded_by = ANY (ARRAY['store'::text, 'maker'::text, 'lender'::text, 'bank'::text]))),
  constraint coupon_kind_check CHECK ((kind = ANY (ARRAY['Flat Amount'::text, 'Buy3Get1'::text, 'Free'::text, 'Percentage'::text]))),
  constraint coupon_minimum_cents_check CHECK (((minimum_cents >= 1) AND (minimum_cents <= 1000000))),
  constraint coupon_name_check CHECK (((length(name) >= 3) AND (length(name) <= 80))),
  constraint coupon_one_subject CHECK ((num_nonnulls(brand_id, product_line_id, item_id, service) <= 1)),
  constraint coupon_other_version CHECK ((replaces_id <> id)),
  constraint coupon_person_most_check CHECK (((person_most >= 1) AND (person_most <= 100))),
  constraint coupon_service_check CHECK ((service = ANY (ARRAY['installation'::text, 'disposal'::text, 'coverage'::text, 'roadside'::text, 'shipping'::text]))),
  constraint coupon_times CHECK ((((starts_at IS NULL) = (ends_at IS NULL)) AND (starts_at < ends_at))),
  constraint coupon_uses_most_check CHECK (((uses_most >= 1) AND (uses_most <= 1000000))),
  constraint coupon_version_check CHECK ((version >= 1)),
  constraint coupon_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint coupon_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES tire_filter(id),
  constraint coupon_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint coupon_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id),
  constraint coupon_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES coupon(id)
);
CREATE INDEX coupon_by_end ON coupon USING btree (ends_at, id) WHERE (ends_at IS NOT NULL);
CREATE INDEX coupon_by_replaced ON coupon USING btree (replaces_id) WHERE (replaces_id IS NOT NULL);
CREATE INDEX coupon_drafts ON coupon USING btree (id DESC) WHERE (ends_at IS NULL);
CREATE TRIGGER coupon_never_edited AFTER UPDATE ON coupon FOR EACH ROW EXECUTE FUNCTION coupon_is_never_edited();

-- How often each scheduled coupon was used, orders that were canceled not counted.
create table coupon_tally (
  coupon_id integer not null,
  uses_most integer not null,
  uses integer not null default 0,
  constraint coupon_tally_pkey PRIMARY KEY (coupon_id),
  constraint coupon_within_its_uses CHECK (((uses >= 0) AND (uses <= uses_most))),
  constraint coupon_tally_coupon_id_uses_most_fkey FOREIGN KEY (coupon_id, uses_most) REFERENCES coupon(id, uses_most)
);

-- The order of each use of a coupon; nth is which of the customer's uses it is.
create table coupon_use (
  order_id bigint not null,
  coupon_id integer not null,
  person_most smallint not null,
  customer_id uuid not null,
  nth smallint not null,
  used_at timestamp with time zone not null,
  canceled_at timestamp with time zone,
  constraint coupon_use_pkey PRIMARY KEY (order_id),
  constraint coupon_within_a_persons_uses CHECK (((nth >= 1) AND (nth <= person_most))),
  constraint coupon_use_coupon_id_person_most_fkey FOREIGN KEY (coupon_id, person_most) REFERENCES coupon(id, person_most),
  constraint coupon_use_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint coupon_use_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX coupon_use_by_customer ON coupon_use USING btree (customer_id, coupon_id) WHERE (canceled_at IS NULL);
CREATE UNIQUE INDEX coupon_use_nth_once ON coupon_use USING btree (coupon_id, customer_id, nth) WHERE (canceled_at IS NULL);

-- Claims of replacement coverage, until staff approve or refuse them by the table of the plan.
create table coverage_claim (
  id bigint not null generated always as identity,
  state text not null default 'open'::text,
  order_id bigint not null,
  email text not null,
  item_id integer not null,
  tire text not null,
  tires smallint not null,
  kind text not null,
  cause text not null,
  tin text,
  delivered_on date not null,
  happened_on date not null,
  paid_cents integer,
  most_cents integer not null,
  words text,
  said bytea not null,
  network_key text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  given_cents integer,
  refusal text,
  plan text not null, -- The plan of the order, by whose table the claim is decided.
  constraint coverage_claim_pkey PRIMARY KEY (id),
  constraint claim_decided_whole CHECK ((((state = 'open'::text) = (decided_at IS NULL)) AND ((state = 'open'::text) = (decided_by IS NULL)) AND ((state = 'approved'::text) = (given_cents IS NOT NULL)) AND ((state = 'refused'::text) = (refusal IS NOT NULL)))),
  constraint claim_network_forgotten CHECK (((state = 'open'::text) OR (network_key IS NULL))),
  constraint claim_of_repair_says_what_was_paid CHECK (((kind = 'repair'::text) = (paid_cents IS NOT NULL))),
  constraint claim_of_road_hazard_replaces CHECK (((plan <> 'road-hazard'::text) OR (kind = 'replacement'::text))), -- The road hazard plan pays for tires, never for labor.
  constraint claim_while_covered CHECK (((happened_on >= delivered_on) AND (happened_on < (delivered_on +
CASE plan
    WHEN 'replacement'::text THEN '3 years'::interval
    ELSE '2 years'::interval
END)))),
  constraint claim_within_plan CHECK (((given_cents >= 1) AND (given_cents <= most_cents))),
  constraint coverage_claim_cause_check CHECK ((cause = ANY (ARRAY['puncture'::text, 'glass'::text, 'pothole'::text, 'curb'::text, 'debris'::text]))),
  constraint coverage_claim_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint coverage_claim_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint coverage_claim_kind_check CHECK ((kind = ANY (ARRAY['replacement'::text, 'repair'::text]))),
  constraint coverage_claim_most_cents_check CHECK ((most_cents > 0)),
  constraint coverage_claim_paid_cents_check CHECK ((paid_cents > 0)),
  constraint coverage_claim_plan_check CHECK ((plan = ANY (ARRAY['replacement'::text, 'road-hazard'::text]))),
  constraint coverage_claim_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 500))),
  constraint coverage_claim_said_check CHECK ((octet_length(said) = 32)),
  constraint coverage_claim_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'refused'::text]))),
  constraint coverage_claim_tin_check CHECK ((tin ~ '^[A-Z0-9]{7,13}$'::text)),
  constraint coverage_claim_tire_check CHECK (((length(tire) >= 1) AND (length(tire) <= 200))),
  constraint coverage_claim_tires_check CHECK (((tires >= 1) AND (tires <= 400))),
  constraint coverage_claim_words_check CHECK (((length(words) >= 1) AND (length(words) <= 1000))),
  constraint coverage_claim_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint coverage_claim_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX claim_by_email ON coverage_claim USING btree (email, created_at);
CREATE INDEX claim_by_network ON coverage_claim USING btree (network_key, created_at) WHERE (network_key IS NOT NULL);
CREATE INDEX claim_by_order ON coverage_claim USING btree (order_id, item_id);
CREATE INDEX claim_open_by_time ON coverage_claim USING btree (created_at, id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX claim_said_once ON coverage_claim USING btree (said) WHERE (state = 'open'::text);
CREATE TRIGGER claims_within_covered BEFORE INSERT OR UPDATE OF state, tires ON coverage_claim FOR EACH ROW EXECUTE FUNCTION claims_within_covered(); -- Each covered tire of an order is replaced once at most.

-- Pictures of damaged tires and receipts of repairs, drawn anew; staff alone see them.
create table coverage_claim_file (
  claim_id bigint not null,
  name text not null,
  file_key uuid not null,
  constraint coverage_claim_file_pkey PRIMARY KEY (claim_id),
  constraint coverage_claim_file_file UNIQUE (file_key),
  constraint coverage_claim_file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint coverage_claim_file_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES coverage_claim(id),
  constraint coverage_claim_file_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key)
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON coverage_claim_file FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Store credit that staff gave, or requested a second person's approval for.
create table credit_grant (
  id uuid not null,
  owner_id uuid, -- The account that gets it; null once that is deleted.
  order_id bigint, -- The order that it makes up for; null for none.
  amount_cents integer not null,
  reason text, -- For the team. Null once the account is deleted.
  state text not null,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  decided_at timestamp with time zone,
  decided_by text,
  taken_back_cents integer,
  taken_back_at timestamp with time zone,
  taken_back_by text,
  taken_back_reason text,
  constraint credit_grant_pkey PRIMARY KEY (id),
  constraint credit_grant_amount_cents_check CHECK (((amount_cents >= 1) AND (amount_cents <= 10000000))),
  constraint credit_grant_decided CHECK ((((state = 'requested'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint credit_grant_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint credit_grant_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint credit_grant_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 254))),
  constraint credit_grant_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'given'::text, 'declined'::text]))),
  constraint credit_grant_taken_back CHECK ((((taken_back_cents IS NULL) = (taken_back_at IS NULL)) AND ((taken_back_at IS NULL) = (taken_back_by IS NULL)) AND ((taken_back_cents IS NULL) OR ((state = 'given'::text) AND ((taken_back_cents >= 1) AND (taken_back_cents <= amount_cents)))))),
  constraint credit_grant_taken_back_by_check CHECK (((length(taken_back_by) >= 1) AND (length(taken_back_by) <= 254))),
  constraint credit_grant_taken_back_reason_check CHECK (((length(taken_back_reason) >= 1) AND (length(taken_back_reason) <= 500))),
  constraint credit_grant_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint credit_grant_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX credit_grant_by_order ON credit_grant USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX credit_grant_by_owner ON credit_grant USING btree (owner_id, requested_at DESC);
CREATE INDEX credit_grant_waiting ON credit_grant USING btree (requested_at) WHERE (state = 'requested'::text);
CREATE TRIGGER credit_grant_forgets BEFORE UPDATE OF owner_id ON credit_grant FOR EACH ROW WHEN ((new.owner_id IS NULL)) EXECUTE FUNCTION credit_grant_forgets(); -- What staff wrote about a person goes with their account.

-- What browsers blocked by the Content Security Policy of payment pages, once for each page, rule and source.
create table csp_report (
  key text not null,
  page text not null,
  directive text not null,
  blocked text not null,
  sample text not null,
  reports integer not null default 1,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint csp_report_pkey PRIMARY KEY (key),
  constraint csp_report_blocked_check CHECK ((length(blocked) <= 200)),
  constraint csp_report_directive_check CHECK (((length(directive) >= 1) AND (length(directive) <= 60))),
  constraint csp_report_key_check CHECK ((key ~ '^[0-9a-f]{64}$'::text)),
  constraint csp_report_page_check CHECK ((length(page) <= 200)),
  constraint csp_report_reports_check CHECK ((reports >= 1)),
  constraint csp_report_sample_check CHECK ((length(sample) <= 100))
);
CREATE INDEX csp_report_by_time ON csp_report USING btree (last_at DESC);

-- People who order or have an account: one row per email.
create table customer (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  name text, -- First and last name as last given.
  phone text,
  city text,
  state_code text,
  zip text,
  active_at timestamp with time zone not null default now(), -- When the last order was placed; for a customer without one, when it was added.
  merged_into uuid, -- The customer that this one was merged into, which is not merged itself; null for most.
  version integer not null default 1, -- Rises with each change of the contact, so that a form can tell that it is out of date.
  constraint customer_pkey PRIMARY KEY (id),
  constraint customer_check CHECK ((merged_into <> id)),
  constraint customer_version_check CHECK ((version >= 1)),
  constraint customer_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES customer(id)
);
CREATE INDEX customer_by_activity ON customer USING btree (active_at DESC, id DESC) WHERE (merged_into IS NULL);
CREATE UNIQUE INDEX customer_by_email ON customer USING btree (lower(email));
CREATE INDEX customer_by_email_start ON customer USING btree (lower(email) text_pattern_ops);
CREATE INDEX customer_by_mailbox ON customer USING btree (mailbox_of(email));
CREATE INDEX customer_by_merge ON customer USING btree (merged_into) WHERE (merged_into IS NOT NULL);
CREATE INDEX customer_by_name_and_phone ON customer USING btree (phone, lower(name)) WHERE (phone IS NOT NULL);
CREATE INDEX customer_by_part ON customer USING gin (lower(((COALESCE(name, ''::text) || '
'::text) || email)) gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX customer_by_phone_end ON customer USING btree ("right"(phone, 4)) WHERE (phone IS NOT NULL);
CREATE INDEX customer_by_word ON customer USING gin (string_to_array(lower(name), ' '::text)) WITH (fastupdate=off);
CREATE INDEX customer_by_zip ON customer USING btree (zip) WHERE (zip IS NOT NULL);
CREATE CONSTRAINT TRIGGER customer_merged_once AFTER UPDATE OF merged_into ON customer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.merged_into IS NOT NULL)) EXECUTE FUNCTION customer_merged_once(); -- A customer is merged into one that is not merged itself.

-- Customers who can place no order, why, and until when.
create table customer_block (
  id uuid not null,
  customer_id uuid not null,
  reason text not null,
  blocked_at timestamp with time zone not null,
  blocked_by text not null,
  ended_at timestamp with time zone,
  ended_by text,
  constraint customer_block_pkey PRIMARY KEY (id),
  constraint customer_block_blocked_by_check CHECK (((length(blocked_by) >= 1) AND (length(blocked_by) <= 254))),
  constraint customer_block_ended_by_check CHECK (((length(ended_by) >= 1) AND (length(ended_by) <= 254))),
  constraint customer_block_ended_whole CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint customer_block_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint customer_block_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX customer_blocked_once ON customer_block USING btree (customer_id) WHERE (ended_at IS NULL);

-- What staff changed in the contact of a customer, before and after.
create table customer_contact_change (
  id uuid not null,
  customer_id uuid not null,
  old_name text,
  old_phone text,
  old_email text not null,
  new_name text,
  new_phone text,
  new_email text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint customer_contact_change_pkey PRIMARY KEY (id),
  constraint customer_contact_change_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint customer_contact_change_changes CHECK ((((old_name IS DISTINCT FROM new_name) OR (old_phone IS DISTINCT FROM new_phone)) OR (old_email IS DISTINCT FROM new_email))),
  constraint customer_contact_change_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE
);
CREATE INDEX customer_contact_change_by_customer ON customer_contact_change USING btree (customer_id, changed_at DESC);
CREATE INDEX customer_contact_change_by_time ON customer_contact_change USING btree (changed_at);

-- Two customers with the same name and phone, and who said that they are two people.
create table customer_duplicate (
  customer_id uuid not null,
  other_id uuid not null,
  found_at timestamp with time zone not null,
  dismissed_at timestamp with time zone,
  dismissed_by text,
  constraint customer_duplicate_pkey PRIMARY KEY (customer_id, other_id),
  constraint customer_duplicate_dismissed_by_check CHECK (((length(dismissed_by) >= 1) AND (length(dismissed_by) <= 254))),
  constraint customer_duplicate_dismissed_whole CHECK (((dismissed_at IS NULL) = (dismissed_by IS NULL))),
  constraint customer_duplicate_once CHECK ((customer_id < other_id)),
  constraint customer_duplicate_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE,
  constraint customer_duplicate_other_id_fkey FOREIGN KEY (other_id) REFERENCES customer(id) ON DELETE CASCADE
);
CREATE INDEX customer_duplicate_by_other ON customer_duplicate USING btree (other_id);
CREATE INDEX customer_duplicate_open ON customer_duplicate USING btree (customer_id, other_id) WHERE (dismissed_at IS NULL);

-- Requests to erase the personal data of customers, and who decided.
create table customer_erasure (
  id uuid not null,
  customer_id uuid not null,
  reason text not null,
  state text not null default 'requested'::text,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  decided_at timestamp with time zone,
  decided_by text,
  constraint customer_erasure_pkey PRIMARY KEY (id),
  constraint customer_erasure_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint customer_erasure_decided_whole CHECK ((((state = 'requested'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint customer_erasure_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint customer_erasure_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 254))),
  constraint customer_erasure_second_person CHECK (((state <> 'erased'::text) OR (decided_by <> requested_by))), -- A second person confirms an erasure.
  constraint customer_erasure_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'erased'::text, 'declined'::text]))),
  constraint customer_erasure_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id)
);
CREATE UNIQUE INDEX customer_erasure_waits_once ON customer_erasure USING btree (customer_id) WHERE (state = 'requested'::text);

-- The address and marketing consent of a customer, as another store program had them.
create table customer_import (
  customer_id uuid not null,
  street text,
  city text,
  state_code text,
  zip text,
  consented_at timestamp with time zone, -- When the customer agreed to marketing emails in the other store; null without proof of it.
  imported_at timestamp with time zone not null,
  constraint customer_import_pkey PRIMARY KEY (customer_id),
  constraint customer_import_city_check CHECK (((length(city) >= 1) AND (length(city) <= 100))),
  constraint customer_import_state_code_check CHECK ((state_code ~ '^[A-Z]{2}$'::text)),
  constraint customer_import_street_check CHECK (((length(street) >= 1) AND (length(street) <= 200))),
  constraint customer_import_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint customer_import_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE
);

-- Merges of customers, with what undoing one needs.
create table customer_merge (
  id uuid not null,
  kept_id uuid not null,
  merged_id uuid not null,
  moved_ids uuid[] not null, -- The customers whose merged_into it set: the merged one and those merged into it before.
  merged_at timestamp with time zone not null,
  merged_by text not null,
  undone_at timestamp with time zone,
  undone_by text,
  constraint customer_merge_pkey PRIMARY KEY (id),
  constraint customer_merge_merged_by_check CHECK (((length(merged_by) >= 1) AND (length(merged_by) <= 254))),
  constraint customer_merge_moved_ids_check CHECK ((cardinality(moved_ids) >= 1)),
  constraint customer_merge_of_two CHECK ((kept_id <> merged_id)),
  constraint customer_merge_undone_by_check CHECK (((length(undone_by) >= 1) AND (length(undone_by) <= 254))),
  constraint customer_merge_undone_whole CHECK (((undone_at IS NULL) = (undone_by IS NULL))),
  constraint customer_merge_kept_id_fkey FOREIGN KEY (kept_id) REFERENCES customer(id) ON DELETE CASCADE,
  constraint customer_merge_merged_id_fkey FOREIGN KEY (merged_id) REFERENCES customer(id) ON DELETE CASCADE
);
CREATE INDEX customer_merge_by_kept ON customer_merge USING btree (kept_id, merged_at DESC) WHERE (undone_at IS NULL);
CREATE INDEX customer_merge_by_merged ON customer_merge USING btree (merged_id);

-- Notes that staff keep on a customer, who never sees them.
create table customer_note (
  id uuid not null,
  customer_id uuid not null,
  body text not null,
  author text not null,
  at timestamp with time zone not null,
  constraint customer_note_pkey PRIMARY KEY (id),
  constraint customer_note_author_check CHECK (((length(author) >= 1) AND (length(author) <= 254))),
  constraint customer_note_body_check CHECK (((length(body) >= 1) AND (length(body) <= 2000))),
  constraint customer_note_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE
);
CREATE INDEX customer_note_by_customer ON customer_note USING btree (customer_id, at DESC);

-- What shoppers were told of delays of their orders, and what they answered (16 CFR 435).
create table delay_notice (
  order_id bigint not null,
  notice_no smallint not null,
  promised_on date not null,
  revised_on date,
  told_at timestamp with time zone not null,
  answer_due_on date not null,
  on_silence text not null,
  appointment text not null,
  answer text,
  answered_at timestamp with time zone,
  answered_by text,
  staff_since timestamp with time zone,
  constraint delay_notice_pkey PRIMARY KEY (order_id, notice_no),
  constraint delay_notice_answer_check CHECK ((answer = ANY (ARRAY['wait'::text, 'move'::text, 'cancel'::text]))),
  constraint delay_notice_answered_by_check CHECK (((length(answered_by) >= 1) AND (length(answered_by) <= 254))),
  constraint delay_notice_answered_whole CHECK ((((answer IS NULL) = (answered_at IS NULL)) AND ((answer IS NULL) = (answered_by IS NULL)))),
  constraint delay_notice_appointment_check CHECK ((appointment = ANY (ARRAY['none'::text, 'kept'::text, 'moved'::text, 'freed'::text]))),
  constraint delay_notice_later CHECK (((revised_on IS NULL) OR (revised_on > promised_on))),
  constraint delay_notice_notice_no_check CHECK ((notice_no >= 1)),
  constraint delay_notice_on_silence_check CHECK ((on_silence = ANY (ARRAY['wait'::text, 'cancel'::text]))),
  constraint delay_notice_silence CHECK (((on_silence = 'cancel'::text) OR ((notice_no = 1) AND ((revised_on - promised_on) <= 30)))), -- Silence is consent to a first delay of at most 30 days with a date, and to nothing else.
  constraint delay_notice_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX delay_notice_for_staff ON delay_notice USING btree (staff_since) WHERE (staff_since IS NOT NULL);
CREATE INDEX delay_notice_unanswered ON delay_notice USING btree (answer_due_on, order_id) WHERE (answer IS NULL);

-- Disputes, inquiries and warnings about charges, with what the provider took and gave back for them.
create table dispute (
  id bigint not null generated always as identity,
  provider text not null,
  provider_ref text not null,
  payment_id uuid not null,
  order_id bigint,
  kind text not null,
  state text not null,
  reason text not null,
  amount_cents integer not null,
  opened_at timestamp with time zone not null,
  due_at timestamp with time zone,
  withdrawn_cents integer not null default 0,
  reinstated_cents integer not null default 0,
  fee_cents integer not null default 0,
  notes text not null default ''::text,
  evidence jsonb,
  submitted_at timestamp with time zone,
  submitted_by text,
  updated_at timestamp with time zone not null,
  constraint dispute_pkey PRIMARY KEY (id),
  constraint dispute_said_once UNIQUE (provider, provider_ref),
  constraint dispute_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint dispute_fee_cents_check CHECK ((fee_cents >= 0)),
  constraint dispute_kind_check CHECK ((kind = ANY (ARRAY['dispute'::text, 'inquiry'::text, 'warning'::text]))),
  constraint dispute_notes_check CHECK ((length(notes) <= 10000)),
  constraint dispute_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'paypal'::text, 'lender'::text]))),
  constraint dispute_provider_ref_check CHECK (((length(provider_ref) >= 1) AND (length(provider_ref) <= 255))),
  constraint dispute_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 100))),
  constraint dispute_reinstated_cents_check CHECK ((reinstated_cents >= 0)),
  constraint dispute_reinstated_within_withdrawn CHECK ((reinstated_cents <= withdrawn_cents)),
  constraint dispute_state_check CHECK ((state = ANY (ARRAY['needs-response'::text, 'under-review'::text, 'won'::text, 'lost'::text, 'closed'::text]))),
  constraint dispute_submitted_by_check CHECK (((length(submitted_by) >= 1) AND (length(submitted_by) <= 254))),
  constraint dispute_submitted_whole CHECK ((((submitted_at IS NULL) = (submitted_by IS NULL)) AND ((submitted_at IS NULL) = (evidence IS NULL)))),
  constraint dispute_warning_takes_nothing CHECK (((kind <> 'warning'::text) OR ((withdrawn_cents = 0) AND (fee_cents = 0)))),
  constraint dispute_withdrawn_cents_check CHECK ((withdrawn_cents >= 0)),
  constraint dispute_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint dispute_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
);
CREATE INDEX dispute_by_order ON dispute USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX dispute_by_payment ON dispute USING btree (payment_id);
CREATE INDEX dispute_by_state ON dispute USING btree (state, id DESC);
CREATE INDEX dispute_open ON dispute USING btree (due_at, id) WHERE (state = 'needs-response'::text);

-- What happened to disputes, by whom.
create table dispute_event (
  id bigint not null generated always as identity,
  dispute_id bigint not null,
  at timestamp with time zone not null,
  actor text not null,
  words text not null,
  constraint dispute_event_pkey PRIMARY KEY (id),
  constraint dispute_event_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 254))),
  constraint dispute_event_words_check CHECK (((length(words) >= 1) AND (length(words) <= 500))),
  constraint dispute_event_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id) ON DELETE CASCADE
);
CREATE INDEX dispute_event_by_dispute ON dispute_event USING btree (dispute_id, id);

-- Files that go out with the evidence of a dispute: proofs made of the order, and one that staff add.
create table dispute_file (
  dispute_id bigint not null,
  kind text not null,
  name text not null,
  added_at timestamp with time zone not null,
  added_by text not null,
  file_key uuid not null,
  constraint dispute_file_pkey PRIMARY KEY (dispute_id, kind),
  constraint dispute_file_file UNIQUE (file_key),
  constraint dispute_file_added_by_check CHECK (((length(added_by) >= 1) AND (length(added_by) <= 254))),
  constraint dispute_file_kind_check CHECK ((kind = ANY (ARRAY['shipping'::text, 'completion'::text, 'more'::text]))),
  constraint dispute_file_name_check CHECK (((length(name) >= 5) AND (length(name) <= 100))),
  constraint dispute_file_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES dispute(id),
  constraint dispute_file_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key)
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON dispute_file FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- The version of each shop's calendar at which its waiting shoppers were last told of times.
create table earlier_time_check (
  shop_id integer not null,
  version bigint not null,
  constraint earlier_time_check_pkey PRIMARY KEY (shop_id),
  constraint earlier_time_check_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

-- Earlier times that shoppers were told of; nothing is held for them, and the bay decides who gets one.
create table earlier_time_offer (
  id uuid not null,
  booking_id uuid not null,
  shop_id integer not null,
  kind text not null,
  during tstzrange not null,
  drop_off_on date,
  drop_off_window text,
  offered_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  state text not null default 'open'::text,
  constraint earlier_time_offer_pkey PRIMARY KEY (id),
  constraint earlier_time_offered_once EXCLUDE USING gist (shop_id WITH =, kind WITH =, during WITH &&) WHERE ((state = 'open'::text)),
  constraint earlier_time_offer_check CHECK (((expires_at > offered_at) AND (expires_at <= (offered_at + '24:00:00'::interval)))),
  constraint earlier_time_offer_drop_off_window_check CHECK ((drop_off_window = ANY (ARRAY['AM'::text, 'PM'::text, 'EVE'::text]))),
  constraint earlier_time_offer_during_check CHECK (((NOT isempty(during)) AND lower_inc(during) AND (NOT upper_inc(during)))),
  constraint earlier_time_offer_kind_check CHECK ((kind = ANY (ARRAY['wait'::text, 'drop-off'::text, 'mobile'::text]))),
  constraint earlier_time_offer_state_check CHECK ((state = ANY (ARRAY['open'::text, 'taken'::text, 'passed'::text]))),
  constraint earlier_time_offer_window_of_drop_off CHECK ((((kind = 'drop-off'::text) = (drop_off_window IS NOT NULL)) AND ((drop_off_on IS NULL) = (drop_off_window IS NULL)))),
  constraint earlier_time_offer_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES earlier_time_wish(booking_id) ON DELETE CASCADE,
  constraint earlier_time_offer_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX earlier_time_offer_expiring ON earlier_time_offer USING btree (expires_at) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX earlier_time_offer_not_again ON earlier_time_offer USING btree (booking_id, lower(during));
CREATE INDEX earlier_time_offer_of_shop ON earlier_time_offer USING btree (shop_id);
CREATE UNIQUE INDEX earlier_time_offer_one_open ON earlier_time_offer USING btree (booking_id) WHERE (state = 'open'::text);

-- Appointments whose shoppers want to hear of an earlier time at their shop; one row each.
create table earlier_time_wish (
  booking_id uuid not null,
  shop_id integer not null,
  from_on date not null,
  until_on date not null,
  until_at timestamp with time zone not null,
  day_parts text[] not null,
  asked_at timestamp with time zone not null,
  turn bigint not null generated always as identity,
  ended_at timestamp with time zone,
  ended text,
  constraint earlier_time_wish_pkey PRIMARY KEY (booking_id),
  constraint earlier_time_wish_check CHECK (((until_on >= from_on) AND (until_on <= (from_on + 60)))),
  constraint earlier_time_wish_day_parts_check CHECK ((((cardinality(day_parts) >= 1) AND (cardinality(day_parts) <= 3)) AND (day_parts <@ ARRAY['morning'::text, 'afternoon'::text, 'evening'::text]))),
  constraint earlier_time_wish_ended_check CHECK ((ended = ANY (ARRAY['taken'::text, 'left'::text, 'over'::text]))),
  constraint earlier_time_wish_ended_whole CHECK (((ended_at IS NULL) = (ended IS NULL))),
  constraint earlier_time_wish_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint earlier_time_wish_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX earlier_time_wish_ended ON earlier_time_wish USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX earlier_time_wish_waiting ON earlier_time_wish USING btree (shop_id, turn) WHERE (ended_at IS NULL);

-- Each email as it was sent: subject, text, HTML and the names of attachments, with codes and the keys in links left out, by month. Never changed; deleted after its period.
create table email_copy (
  message_id uuid not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  attachments text[] not null,
  sent_at timestamp with time zone not null,
  constraint email_copy_pkey PRIMARY KEY (message_id),
  constraint email_copy_attachments_check CHECK (((cardinality(attachments) <= 20) AND (octet_length((attachments)::text) <= 4000))),
  constraint email_copy_body_html_check CHECK ((octet_length(body_html) <= 393216)),
  constraint email_copy_body_text_check CHECK ((octet_length(body_text) <= 131072)),
  constraint email_copy_subject_check CHECK ((octet_length(subject) <= 2000)),
  constraint email_copy_message_id_fkey FOREIGN KEY (message_id) REFERENCES message(id) ON DELETE CASCADE
) partition by RANGE (message_id);
CREATE INDEX email_copy_by_age ON ONLY email_copy USING btree (sent_at);
CREATE TRIGGER email_copy_final BEFORE UPDATE ON email_copy FOR EACH STATEMENT EXECUTE FUNCTION email_copy_is_final(); -- What was sent is not changed afterwards.

-- Subject and Markdown text of emails that staff edited.
create table email_template (
  kind text not null,
  subject text, -- Null, as the body, for a kind that was reset to the template of the release.
  body text,
  version integer not null default 1,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint email_template_pkey PRIMARY KEY (kind),
  constraint email_template_body_check CHECK (((length(body) >= 1) AND (length(body) <= 10000))),
  constraint email_template_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint email_template_kind_check CHECK ((kind ~ '^[a-z-]{1,60}$'::text)),
  constraint email_template_subject_check CHECK ((((length(subject) >= 1) AND (length(subject) <= 150)) AND (subject !~ '[\n\r]'::text))),
  constraint email_template_version_check CHECK ((version >= 1)),
  constraint email_template_whole CHECK (((subject IS NULL) = (body IS NULL)))
);

-- Mail domains whose people buy at the employee price.
create table employer_domain (
  domain text not null,
  employer text not null,
  added_at timestamp with time zone not null,
  constraint employer_domain_pkey PRIMARY KEY (domain),
  constraint employer_domain_domain_check CHECK ((domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text)),
  constraint employer_domain_employer_check CHECK (((length(employer) >= 1) AND (length(employer) <= 100)))
);

-- A cart that a military exchange's program filled, and for which of the exchange's customers.
create table exchange_cart (
  cart_id uuid not null,
  id uuid not null,
  company_id uuid not null,
  customer_id text not null,
  made_at timestamp with time zone not null,
  constraint exchange_cart_pkey PRIMARY KEY (cart_id),
  constraint exchange_cart_id_key UNIQUE (id),
  constraint exchange_cart_check CHECK ((id <> cart_id)),
  constraint exchange_cart_customer_id_check CHECK (((length(customer_id) >= 1) AND (length(customer_id) <= 60))),
  constraint exchange_cart_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint exchange_cart_company_id_fkey FOREIGN KEY (company_id) REFERENCES purchasing_system(company_id) ON DELETE CASCADE
);

-- On which day a feed was asked for last: nobody writes the file of a tire shop that nobody reads.
create table feed_ask (
  name text not null,
  last_asked_on date not null,
  constraint feed_ask_pkey PRIMARY KEY (name),
  constraint feed_ask_name_check CHECK ((name ~ '^(products|regions|fitment|meta|microsoft|local-SW-[0-9]{5,9})$'::text))
);

-- The compressed text of a feed, in pieces.
create table feed_piece (
  version_id bigint not null,
  no integer not null,
  gzip bytea not null,
  constraint feed_piece_pkey PRIMARY KEY (version_id, no),
  constraint feed_piece_gzip_check CHECK (((length(gzip) >= 1) AND (length(gzip) <= 1000000))),
  constraint feed_piece_no_check CHECK ((no >= 0)),
  constraint feed_piece_version_id_fkey FOREIGN KEY (version_id) REFERENCES feed_version(id) ON DELETE CASCADE
);

-- A feed as it was written once. Sent only when it is whole; the one before it stays for who is reading it.
create table feed_version (
  id bigint not null generated always as identity,
  name text not null,
  touched_at timestamp with time zone not null,
  written_at timestamp with time zone,
  etag text,
  bytes bigint,
  constraint feed_version_pkey PRIMARY KEY (id),
  constraint feed_version_bytes_check CHECK ((bytes > 0)),
  constraint feed_version_check CHECK ((written_at >= touched_at)),
  constraint feed_version_etag_check CHECK ((etag ~ '^[A-Za-z0-9_-]{22}$'::text)),
  constraint feed_version_name_check CHECK ((name ~ '^(products|regions|fitment|meta|microsoft|local-SW-[0-9]{5,9})$'::text)),
  constraint feed_version_whole CHECK ((((written_at IS NULL) = (etag IS NULL)) AND ((written_at IS NULL) = (bytes IS NULL))))
);
CREATE UNIQUE INDEX feed_version_writing ON feed_version USING btree (name) WHERE (written_at IS NULL);
CREATE INDEX feed_version_written ON feed_version USING btree (name, id DESC) WHERE (written_at IS NOT NULL);

-- Bytes in a folder or bucket that nothing names any more, until a job has deleted them.
create table file_removal (
  key uuid not null,
  place text not null,
  due_at timestamp with time zone not null,
  constraint file_removal_pkey PRIMARY KEY (key, place),
  constraint file_removal_place_check CHECK ((place = ANY (ARRAY['folder'::text, 's3'::text])))
);
CREATE INDEX file_removal_due ON file_removal USING btree (due_at);

-- What lenders owe for delivered goods, one row each time their server says that it is more.
create table financed_delivery (
  payment_id uuid not null,
  total_cents integer not null, -- What the lender owed after it: the same sum is entered once.
  amount_cents integer not null, -- What it adds.
  received_at timestamp with time zone not null,
  constraint financed_delivery_pkey PRIMARY KEY (payment_id, total_cents),
  constraint financed_delivery_check CHECK (((amount_cents > 0) AND (amount_cents <= total_cents))),
  constraint financed_delivery_total_cents_check CHECK ((total_cents > 0)),
  constraint financed_delivery_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
);

-- What a fleet says of the vehicle of an order; an order without a row needs none.
create table fleet_packet (
  order_id bigint not null,
  unit text,
  driver text,
  plate text,
  plate_state text,
  changed_at timestamp with time zone,
  constraint fleet_packet_pkey PRIMARY KEY (order_id),
  constraint fleet_packet_driver_check CHECK (((length(driver) >= 1) AND (length(driver) <= 60))),
  constraint fleet_packet_plate_check CHECK ((plate ~ '^[A-Z0-9]{1,8}$'::text)),
  constraint fleet_packet_plate_state_check CHECK ((plate_state ~ '^[A-Z]{2}$'::text)),
  constraint fleet_packet_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 20))),
  constraint fleet_packet_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX fleet_packet_by_plate ON fleet_packet USING btree (plate text_pattern_ops) WHERE (plate IS NOT NULL);
CREATE TRIGGER fleet_packet_stays BEFORE DELETE OR UPDATE ON fleet_packet FOR EACH ROW EXECUTE FUNCTION fleet_packet_stays(); -- What a job was closed with is not changed.

-- A list of vehicles that a company wants tires for. Held once its tires have prices that are promised.
create table fleet_quote (
  id uuid not null,
  company_id uuid not null,
  account_id uuid, -- The member who began it; null once that account is gone.
  form_key uuid not null,
  zip text not null,
  created_at timestamp with time zone not null,
  held_at timestamp with time zone,
  good_through_on date,
  constraint fleet_quote_pkey PRIMARY KEY (id),
  constraint fleet_quote_form_key_key UNIQUE (form_key),
  constraint fleet_quote_held_with_day CHECK (((held_at IS NULL) = (good_through_on IS NULL))),
  constraint fleet_quote_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint fleet_quote_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint fleet_quote_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE INDEX fleet_quote_by_account ON fleet_quote USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX fleet_quote_by_company ON fleet_quote USING btree (company_id, created_at);
CREATE TRIGGER fleet_quote_stays BEFORE UPDATE ON fleet_quote FOR EACH ROW EXECUTE FUNCTION fleet_quote_stays(); -- What was promised is not changed.

-- The tire chosen for all vehicles of a list that take the same sizes, at the price that is held.
create table fleet_quote_tire (
  fleet_quote_id uuid not null,
  front text not null,
  rear text not null,
  front_item_id integer not null,
  rear_item_id integer not null,
  front_unit_cents integer not null,
  rear_unit_cents integer not null,
  constraint fleet_quote_tire_pkey PRIMARY KEY (fleet_quote_id, front, rear),
  constraint fleet_quote_tire_front_check CHECK (((length(front) >= 1) AND (length(front) <= 40))),
  constraint fleet_quote_tire_front_unit_cents_check CHECK (((front_unit_cents >= 1) AND (front_unit_cents <= 1000000))),
  constraint fleet_quote_tire_rear_check CHECK (((length(rear) >= 1) AND (length(rear) <= 40))),
  constraint fleet_quote_tire_rear_unit_cents_check CHECK (((rear_unit_cents >= 1) AND (rear_unit_cents <= 1000000))),
  constraint fleet_quote_tire_fleet_quote_id_fkey FOREIGN KEY (fleet_quote_id) REFERENCES fleet_quote(id) ON DELETE CASCADE,
  constraint fleet_quote_tire_front_item_id_fkey FOREIGN KEY (front_item_id) REFERENCES item(id),
  constraint fleet_quote_tire_rear_item_id_fkey FOREIGN KEY (rear_item_id) REFERENCES item(id)
);
CREATE INDEX fleet_quote_tire_by_front ON fleet_quote_tire USING btree (front_item_id);
CREATE INDEX fleet_quote_tire_by_rear ON fleet_quote_tire USING btree (rear_item_id);

-- A vehicle of such a list, by its line in the file.
create table fleet_quote_vehicle (
  fleet_quote_id uuid not null,
  line smallint not null,
  vin text not null,
  unit text,
  plate text,
  plate_state text,
  decoded text, -- What its VIN says, as NHTSA has it; null if it could not be read.
  vehicle jsonb, -- The vehicle of the finder; null while it is not known.
  front text, -- The tire it takes in front, as listed or as on its door label; null while it is asked.
  rear text,
  dual_rear_wheels boolean not null default false,
  sales_quote_id bigint, -- The quote that its order begins with.
  constraint fleet_quote_vehicle_pkey PRIMARY KEY (fleet_quote_id, line),
  constraint fleet_quote_vehicle_fleet_quote_id_vin_key UNIQUE (fleet_quote_id, vin),
  constraint fleet_quote_vehicle_sales_quote_id_key UNIQUE (sales_quote_id),
  constraint fleet_quote_vehicle_both_axles CHECK (((front IS NULL) = (rear IS NULL))),
  constraint fleet_quote_vehicle_decoded_check CHECK (((length(decoded) >= 1) AND (length(decoded) <= 200))),
  constraint fleet_quote_vehicle_front_check CHECK (((length(front) >= 1) AND (length(front) <= 40))),
  constraint fleet_quote_vehicle_line_check CHECK (((line >= 1) AND (line <= 10000))),
  constraint fleet_quote_vehicle_plate_check CHECK ((plate ~ '^[A-Z0-9]{1,8}$'::text)),
  constraint fleet_quote_vehicle_plate_state_check CHECK ((plate_state ~ '^[A-Z]{2}$'::text)),
  constraint fleet_quote_vehicle_rear_check CHECK (((length(rear) >= 1) AND (length(rear) <= 40))),
  constraint fleet_quote_vehicle_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 20))),
  constraint fleet_quote_vehicle_vin_check CHECK ((vin ~ '^[A-HJ-NPR-Z0-9]{17}$'::text)),
  constraint fleet_quote_vehicle_fleet_quote_id_fkey FOREIGN KEY (fleet_quote_id) REFERENCES fleet_quote(id) ON DELETE CASCADE,
  constraint fleet_quote_vehicle_sales_quote_id_fkey FOREIGN KEY (sales_quote_id) REFERENCES sales_quote(id) ON DELETE SET NULL
);

-- Rules that every order is held against as it is placed, edited by staff.
create table fraud_rule (
  id integer not null generated always as identity,
  kind text not null,
  subject text,
  most smallint,
  minutes integer,
  miles smallint,
  from_cents integer,
  words text[],
  homes_only boolean not null default true,
  spares_companies boolean not null default true,
  outcome text not null,
  is_on boolean not null default true,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  updated_by text not null default 'store'::text,
  constraint fraud_rule_pkey PRIMARY KEY (id),
  constraint fraud_rule_from CHECK (((kind = ANY (ARRAY['ship-to-far'::text, 'first-order'::text])) = (from_cents IS NOT NULL))),
  constraint fraud_rule_from_cents_check CHECK (((from_cents >= 1) AND (from_cents <= 100000000))),
  constraint fraud_rule_kind_check CHECK ((kind = ANY (ARRAY['orders'::text, 'declines'::text, 'cards'::text, 'ship-to-far'::text, 'resale'::text, 'dealer-names'::text, 'shop-address'::text, 'first-order'::text]))),
  constraint fraud_rule_miles CHECK (((kind = 'ship-to-far'::text) = (miles IS NOT NULL))),
  constraint fraud_rule_miles_check CHECK (((miles >= 1) AND (miles <= 6000))),
  constraint fraud_rule_minutes CHECK (((kind = ANY (ARRAY['orders'::text, 'declines'::text, 'cards'::text])) = (minutes IS NOT NULL))),
  constraint fraud_rule_minutes_check CHECK (((minutes >= 5) AND (minutes <= 43200))),
  constraint fraud_rule_most CHECK (((kind = ANY (ARRAY['orders'::text, 'declines'::text, 'cards'::text, 'resale'::text])) = (most IS NOT NULL))),
  constraint fraud_rule_most_check CHECK (((most >= 1) AND (most <= 1000))),
  constraint fraud_rule_of_declines CHECK (((kind <> 'declines'::text) OR (subject = ANY (ARRAY['account'::text, 'email'::text, 'network'::text])))),
  constraint fraud_rule_outcome_check CHECK ((outcome = ANY (ARRAY['allow'::text, 'confirm'::text, 'review'::text, 'refuse'::text]))),
  constraint fraud_rule_subject CHECK (((kind = ANY (ARRAY['orders'::text, 'declines'::text])) = (subject IS NOT NULL))),
  constraint fraud_rule_subject_check CHECK ((subject = ANY (ARRAY['account'::text, 'email'::text, 'network'::text, 'card'::text, 'address'::text]))),
  constraint fraud_rule_updated_by_check CHECK (((length(updated_by) >= 1) AND (length(updated_by) <= 254))),
  constraint fraud_rule_words CHECK (((kind = 'dealer-names'::text) = (words IS NOT NULL))),
  constraint fraud_rule_words_check CHECK (((cardinality(words) >= 1) AND (cardinality(words) <= 60)))
);

-- Tires at Google Merchant Center, or on their way there.
create table google_listing (
  item_id integer not null, -- Without a foreign key, because a deleted tire is also removed at Google.
  title text not null, -- From the product feed.
  wanted_hash text, -- SHA-256 of the row in the product feed. Null for a tire that isn’t for sale, until Google removed it.
  sent_hash text, -- SHA-256 of the last row that Google accepted. Null to send it in any case.
  refused_hash text, -- SHA-256 of the row that Google refused. The row isn’t sent again before it changes.
  problem text, -- Why Google refused the last row.
  changed_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  issues jsonb not null default '[]'::jsonb, -- Problems that Google reports, each with severity, text, detail, and help.
  constraint google_listing_pkey PRIMARY KEY (item_id),
  constraint google_listing_issues_check CHECK ((jsonb_typeof(issues) = 'array'::text)),
  constraint google_listing_problem_check CHECK (((char_length(problem) >= 1) AND (char_length(problem) <= 500))),
  constraint google_listing_refusal_explained CHECK (((refused_hash IS NULL) OR (problem IS NOT NULL))),
  constraint google_listing_refused_hash_check CHECK ((char_length(refused_hash) = 43)),
  constraint google_listing_sent_hash_check CHECK ((char_length(sent_hash) = 43)),
  constraint google_listing_sent_once CHECK (((sent_hash IS NULL) OR (sent_at IS NOT NULL))),
  constraint google_listing_title_check CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200))),
  constraint google_listing_wanted_hash_check CHECK ((char_length(wanted_hash) = 43))
);
CREATE INDEX google_listing_troubled ON google_listing USING btree (item_id) WHERE ((problem IS NOT NULL) OR (issues <> '[]'::jsonb));
CREATE INDEX google_listing_unsent ON google_listing USING btree (changed_at) WHERE ((wanted_hash IS NULL) OR (wanted_hash IS DISTINCT FROM sent_hash));

-- Progress of sending products to Google Merchant Center.
create table google_listing_run (
  id boolean not null default true,
  running_until timestamp with time zone, -- Another process may take over from then on.
  snapshot text, -- The database snapshot of the last comparison. Later stock changes are compared next.
  basis text, -- Everything outside a tire that its row depends on. Another value compares all tires.
  compared_at timestamp with time zone,
  all_compared_at timestamp with time zone,
  calls_on date,
  calls integer not null default 0, -- Calls to Google on the day calls_on, in UTC.
  resume_at timestamp with time zone, -- Google is called again from then on.
  problem text,
  issues_read_at timestamp with time zone,
  constraint google_listing_run_pkey PRIMARY KEY (id),
  constraint google_listing_run_calls_check CHECK ((calls >= 0)),
  constraint google_listing_run_id_check CHECK (id),
  constraint google_listing_run_paused CHECK (((resume_at IS NULL) = (problem IS NULL))),
  constraint google_listing_run_problem_check CHECK (((char_length(problem) >= 1) AND (char_length(problem) <= 500)))
);

-- Calls of programs by their key, with the answer, so that a repeat gets the same one.
create table idempotency_key (
  scope bytea not null,
  key text not null,
  request bytea not null,
  created_at timestamp with time zone not null,
  claimed_until timestamp with time zone,
  status smallint,
  headers jsonb,
  body text,
  constraint idempotency_key_pkey PRIMARY KEY (scope, key),
  constraint idempotency_key_check CHECK (((status IS NULL) = (headers IS NULL))),
  constraint idempotency_key_check1 CHECK (((status IS NOT NULL) OR (claimed_until IS NOT NULL))),
  constraint idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  constraint idempotency_key_request_check CHECK ((octet_length(request) = 32)),
  constraint idempotency_key_scope_check CHECK ((octet_length(scope) = 32)),
  constraint idempotency_key_status_check CHECK (((status >= 200) AND (status <= 499)))
);
CREATE INDEX idempotency_key_by_time ON idempotency_key USING btree (created_at);

-- Applications of an ACES file that waits to be published; deleted when its run is over.
create table import_brand_fitment (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  action text,
  part text,
  part_key text, -- The part number as it is compared: its letters and digits, in capitals.
  brand_code text,
  company text,
  company_slug text,
  transferred_on date,
  is_full boolean,
  base_vehicle integer,
  first_year smallint,
  last_year smallint,
  make_code integer,
  make_slug text,
  model_code integer,
  model_slug text,
  submodel_code integer,
  submodel text,
  submodel_slug text,
  position_code integer,
  position text,
  axle text,
  quantity smallint,
  terms text,
  brand_id integer,
  item_id integer, -- The item with this part number; null for a part that the store does not carry.
  constraint import_brand_fitment_pkey PRIMARY KEY (run_id, row_no),
  constraint import_brand_fitment_check CHECK ((refused OR (num_nulls(action, part, part_key, company, company_slug, transferred_on, is_full, quantity, terms) = 0))),
  constraint import_brand_fitment_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Requests to cancel an import that is at work.
create table import_cancellation (
  run_id integer not null,
  requested_by jsonb not null,
  reason text,
  requested_at timestamp with time zone not null,
  constraint import_cancellation_pkey PRIMARY KEY (run_id),
  constraint import_cancellation_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 2000))),
  constraint import_cancellation_requested_by_check CHECK ((octet_length((requested_by)::text) <= 4000)),
  constraint import_cancellation_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- What a run changed, as it was before.
create table import_change (
  run_id integer not null,
  entity text not null,
  id integer not null,
  warehouse_id smallint not null default 0,
  action text not null,
  before jsonb,
  after jsonb,
  undone boolean not null default false,
  constraint import_change_pkey PRIMARY KEY (run_id, entity, id, warehouse_id),
  constraint import_change_action_check CHECK ((action = ANY (ARRAY['created'::text, 'changed'::text, 'removed'::text]))),
  constraint import_change_check CHECK (((before IS NULL) = (action = 'created'::text))),
  constraint import_change_check1 CHECK (((after IS NOT NULL) OR (action <> 'changed'::text))),
  constraint import_change_entity_check CHECK ((entity = ANY (ARRAY['brand'::text, 'product_line'::text, 'size'::text, 'item'::text, 'stock'::text, 'vehicle'::text, 'oe_fitment'::text, 'vehicle_code'::text, 'brand_catalog'::text, 'brand_fitment'::text, 'size_list'::text, 'competitor_price'::text]))),
  constraint import_change_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_change_by_row ON import_change USING btree (entity, id, warehouse_id) WHERE (NOT undone);

-- Prices of a file that waits to be published; deleted when its run is over.
create table import_competitor_price (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  gtin text,
  mpn text,
  mpn_key text, -- The letters and digits of the part number, in capitals.
  brand_slug text,
  competitor text,
  competitor_slug text,
  price_cents integer,
  seen_on date,
  item_id integer, -- The tire with this GTIN or part number; null for a tire that the store does not carry.
  constraint import_competitor_price_pkey PRIMARY KEY (run_id, row_no),
  constraint import_competitor_price_check CHECK ((refused OR (num_nulls(competitor, competitor_slug, price_cents, seen_on) = 0))),
  constraint import_competitor_price_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Customers of a file that waits to be published; deleted when its run is over.
create table import_customer (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  email text,
  name text,
  phone text,
  street text,
  city text,
  state_code text,
  zip text,
  consented_at timestamp with time zone,
  note text,
  is_known boolean, -- Whether the store had a customer with this email when the file was checked.
  constraint import_customer_pkey PRIMARY KEY (run_id, row_no),
  constraint import_customer_check CHECK ((refused OR (email IS NOT NULL))),
  constraint import_customer_note_check CHECK (((length(note) >= 1) AND (length(note) <= 2000))),
  constraint import_customer_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_customer_by_email ON import_customer USING btree (lower(email));

-- What publishing a run would change, as its preview showed it: the first rows of each kind.
create table import_difference (
  run_id integer not null,
  kind text not null,
  place integer not null,
  what text not null,
  was text not null,
  becomes text not null,
  constraint import_difference_pkey PRIMARY KEY (run_id, kind, place),
  constraint import_difference_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 30))),
  constraint import_difference_place_check CHECK ((place > 0)),
  constraint import_difference_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Rows of a fitment feed, checked and not used yet.
create table import_fitment (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  year smallint,
  make text,
  model text,
  trim text,
  make_slug text,
  model_slug text,
  trim_slug text,
  vclass text,
  drive text,
  front_size text,
  front_load_index smallint,
  front_speed text,
  rear_size text,
  rear_load_index smallint,
  rear_speed text,
  source text,
  list text,
  list_slug text,
  license text,
  listed_on date,
  constraint import_fitment_pkey PRIMARY KEY (run_id, row_no),
  constraint import_fitment_check CHECK ((refused OR ((year IS NOT NULL) AND (make_slug IS NOT NULL) AND (model_slug IS NOT NULL) AND (trim_slug IS NOT NULL) AND (front_size IS NOT NULL) AND (rear_size IS NOT NULL)))),
  constraint import_fitment_list_whole CHECK ((num_nonnulls(list, list_slug, license, listed_on) = ANY (ARRAY[0, 4]))),
  constraint import_fitment_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Items of a PIES file that waits to be published; deleted when its run is over.
create table import_item_data (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  maintenance text,
  part text,
  part_key text,
  brand_code text,
  brand_slug text,
  gtin text,
  weight_lb numeric(6,1),
  origin_country text,
  about text,
  line_no integer, -- The line of the item in an XML file.
  brand_id integer,
  item_id integer, -- The tire with this GTIN or part number; null for an item that the store does not carry.
  map_cents integer, -- The minimum advertised price in cents; null without one.
  constraint import_item_data_pkey PRIMARY KEY (run_id, row_no),
  constraint import_item_data_check CHECK ((refused OR (num_nulls(maintenance, part, part_key) = 0))),
  constraint import_item_data_map_cents_check CHECK (((map_cents >= 1) AND (map_cents <= 10000000))),
  constraint import_item_data_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Line items of past orders, one a row of a file that waits to be published; deleted when its run is over.
create table import_order (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  store text,
  number text,
  placed_at timestamp with time zone,
  email text,
  phone text,
  customer_name text,
  total_cents integer,
  status text,
  line_sku text,
  line_name text,
  line_quantity integer,
  line_price_cents integer,
  is_known boolean, -- Whether the store had this past order when the file was checked.
  constraint import_order_pkey PRIMARY KEY (run_id, row_no),
  constraint import_order_check CHECK ((refused OR (num_nulls(store, number, placed_at, total_cents, status) = 0))),
  constraint import_order_check1 CHECK ((refused OR (line_name IS NULL) OR (num_nulls(line_quantity, line_price_cents) = 0))),
  constraint import_order_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_order_by_email ON import_order USING btree (lower(email));

-- A picture address of an import, for a product line or one item. Each address is loaded once.
create table import_picture (
  id bigint not null generated always as identity,
  run_id integer not null, -- The import that named it first, or again after it failed.
  product_line_id integer, -- The line, if all its rows have this address; null for a picture of one item.
  item_id integer,
  url text not null,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  due_at timestamp with time zone not null, -- When it is loaded next while it waits.
  problem text, -- Why it could not be loaded.
  line_picture_id bigint, -- The photo made from it; null before, if the photo was there already, and once it is removed.
  description text, -- The description of that photo as added. A rollback removes only unchanged photos.
  position integer, -- The position of that photo as added.
  constraint import_picture_pkey PRIMARY KEY (id),
  constraint import_picture_item_id_url_key UNIQUE (item_id, url),
  constraint import_picture_product_line_id_url_key UNIQUE (product_line_id, url),
  constraint import_picture_attempts_check CHECK ((attempts >= 0)),
  constraint import_picture_failed_for_reason CHECK (((state = 'failed'::text) = (problem IS NOT NULL))),
  constraint import_picture_of_line_or_item CHECK ((num_nonnulls(product_line_id, item_id) = 1)),
  constraint import_picture_problem_check CHECK (((length(problem) >= 1) AND (length(problem) <= 40))),
  constraint import_picture_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'added'::text, 'failed'::text]))),
  constraint import_picture_url_check CHECK (((length(url) >= 9) AND (length(url) <= 1000))),
  constraint import_picture_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint import_picture_line_picture_id_fkey FOREIGN KEY (line_picture_id) REFERENCES line_picture(id) ON DELETE SET NULL,
  constraint import_picture_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE,
  constraint import_picture_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id)
);
CREATE INDEX import_picture_by_photo ON import_picture USING btree (line_picture_id) WHERE (line_picture_id IS NOT NULL);
CREATE INDEX import_picture_by_run ON import_picture USING btree (run_id, state, due_at);

-- Rows of a price feed, checked and not in force yet.
create table import_price (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  sku text,
  retail_cents integer,
  cost_cents integer,
  constraint import_price_pkey PRIMARY KEY (run_id, row_no),
  constraint import_price_check CHECK ((refused OR ((sku IS NOT NULL) AND (retail_cents > 0)))),
  constraint import_price_cost_cents_check CHECK ((cost_cents > 0)),
  constraint import_price_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Rows of a feed that were refused, and why.
create table import_problem (
  id bigint not null generated always as identity,
  run_id integer not null,
  row_no integer not null,
  column_name text not null,
  value text not null,
  problem text not null,
  expected text not null,
  constraint import_problem_pkey PRIMARY KEY (id),
  constraint import_problem_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_problem_by_row ON import_problem USING btree (run_id, row_no, id);

-- Rows of a product feed, checked and not for sale yet.
create table import_product (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  sku text,
  brand text,
  brand_slug text,
  brand_tier text,
  brand_about text,
  line text,
  line_slug text,
  category_slug text,
  tread text,
  m_plus_s boolean,
  three_peak boolean,
  ev boolean,
  line_warranty_miles integer,
  line_about text,
  designation text,
  size_slug text,
  size_kind text,
  section_width_mm numeric(6,2),
  aspect numeric(5,2),
  rim_in numeric(4,1),
  overall_diameter_mm numeric(7,2),
  load_index smallint,
  dual_load_index smallint,
  speed text,
  load_class text,
  load_range text,
  ply_rating smallint,
  max_load_lb integer,
  max_psi smallint,
  measured_width_mm numeric(6,2),
  measured_diameter_mm numeric(7,2),
  rim_width_min_in numeric(4,2),
  rim_width_max_in numeric(4,2),
  tread_depth_32nds numeric(4,1),
  weight_lb numeric(6,1),
  utqg_treadwear smallint,
  utqg_traction text,
  utqg_temperature text,
  run_flat boolean,
  sidewall text,
  oe_mark text,
  warranty_miles integer,
  oldest_dot_week date,
  retail_cents integer,
  fet_cents integer,
  active boolean,
  gtin text,
  mpn text,
  origin_country text,
  picture_url text,
  constraint import_product_pkey PRIMARY KEY (run_id, row_no),
  constraint import_product_check CHECK ((refused OR ((sku IS NOT NULL) AND (brand_slug IS NOT NULL) AND (line_slug IS NOT NULL) AND (size_slug IS NOT NULL) AND (active IS NOT NULL)))),
  constraint import_product_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- One feed brought in once; it can be resumed and rolled back.
create table import_run (
  id integer not null generated always as identity,
  kind text not null,
  mode text not null,
  dry boolean not null,
  state text not null default 'reading'::text,
  file_name text not null,
  file_sha256 text not null,
  read_to integer not null default 0,
  published_to integer not null default 0,
  row_count integer not null default 0,
  refused_count integer not null default 0,
  summary jsonb not null default '{}'::jsonb,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  started_by text,
  asked jsonb,
  answer jsonb,
  columns jsonb, -- For a file with other columns than the feed’s: its header, and where each column of the feed gets its value.
  is_sample boolean not null default false, -- Whether the file has the sample tires of the store setup.
  constraint import_run_pkey PRIMARY KEY (id),
  constraint import_run_answer_check CHECK ((octet_length((answer)::text) <= 20000)),
  constraint import_run_asked_check CHECK ((octet_length((asked)::text) <= 4000)),
  constraint import_run_asked_while_it_can CHECK (((asked IS NULL) OR (state = ANY (ARRAY['waiting-for-yes'::text, 'publishing'::text, 'published'::text, 'rolling-back'::text])))), -- Only a run that can be published or rolled back has an open request.
  constraint import_run_check CHECK ((refused_count <= row_count)),
  constraint import_run_check1 CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['reading'::text, 'read'::text, 'waiting-for-yes'::text, 'publishing'::text])))),
  constraint import_run_columns_whole CHECK (((columns IS NULL) OR ((jsonb_typeof((columns -> 'header'::text)) = 'array'::text) AND (jsonb_typeof((columns -> 'sources'::text)) = 'object'::text)))), -- A mapping has the file’s header and the source of each value.
  constraint import_run_file_sha256_check CHECK ((file_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint import_run_kind_check CHECK ((kind = ANY (ARRAY['products'::text, 'prices'::text, 'stock'::text, 'fitment'::text, 'item-data'::text, 'brand-fitment'::text, 'vehicle-codes'::text, 'competitor-prices'::text, 'customers'::text, 'orders'::text]))),
  constraint import_run_mode_check CHECK ((mode = ANY (ARRAY['all-or-nothing'::text, 'per-row'::text]))),
  constraint import_run_sample_kind CHECK (((NOT is_sample) OR (kind = ANY (ARRAY['products'::text, 'stock'::text])))),
  constraint import_run_started_by_check CHECK (((length(started_by) >= 1) AND (length(started_by) <= 254))),
  constraint import_run_state_check CHECK ((state = ANY (ARRAY['reading'::text, 'read'::text, 'waiting-for-yes'::text, 'publishing'::text, 'published'::text, 'refused'::text, 'checked'::text, 'rolling-back'::text, 'rolled-back'::text, 'discarded'::text])))
);
CREATE UNIQUE INDEX import_one_half_done ON import_run USING btree ((true)) WHERE (state = ANY (ARRAY['publishing'::text, 'rolling-back'::text]));
CREATE INDEX import_run_samples ON import_run USING btree (kind, id DESC) WHERE is_sample;

-- Rows of a stock feed, checked and not counted yet.
create table import_stock (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  sku text,
  warehouse_id smallint,
  on_hand integer,
  as_of timestamp with time zone,
  constraint import_stock_pkey PRIMARY KEY (run_id, row_no),
  constraint import_stock_check CHECK ((refused OR ((sku IS NOT NULL) AND (warehouse_id IS NOT NULL) AND (on_hand >= 0) AND (as_of IS NOT NULL)))),
  constraint import_stock_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Supplier files uploaded in the office; a file starts one run.
create table import_upload (
  id uuid not null,
  run_id integer,
  file_name text not null,
  file_sha256 text,
  sent_by text not null,
  sent_at timestamp with time zone not null,
  constraint import_upload_pkey PRIMARY KEY (id),
  constraint import_upload_run_id_key UNIQUE (run_id),
  constraint import_upload_check CHECK (((run_id IS NULL) OR (file_sha256 IS NOT NULL))),
  constraint import_upload_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 120))),
  constraint import_upload_file_sha256_check CHECK ((file_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint import_upload_sent_by_check CHECK (((length(sent_by) >= 1) AND (length(sent_by) <= 254))),
  constraint import_upload_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_upload_unused ON import_upload USING btree (sent_at) WHERE (run_id IS NULL);

-- The bytes of uploaded files, in parts; deleted when their run is over.
create table import_upload_part (
  upload_id uuid not null,
  no integer not null,
  bytes bytea not null,
  constraint import_upload_part_pkey PRIMARY KEY (upload_id, no),
  constraint import_upload_part_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 262144))),
  constraint import_upload_part_no_check CHECK ((no >= 0)),
  constraint import_upload_part_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES import_upload(id) ON DELETE CASCADE
);

-- Codes of a file that waits to be published; deleted when its run is over.
create table import_vehicle_code (
  run_id integer not null,
  row_no integer not null,
  refused boolean not null,
  kind text,
  code text,
  year smallint,
  make text,
  make_slug text,
  model text,
  model_slug text,
  name text,
  slug text,
  constraint import_vehicle_code_pkey PRIMARY KEY (run_id, row_no),
  constraint import_vehicle_code_check CHECK ((refused OR (num_nulls(kind, code) = 0))),
  constraint import_vehicle_code_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

-- Tires that the store itself held at the end of a day, by the age of their SKU's oldest DOT week, with their value at cost.
create table inventory_day (
  day date not null,
  age text not null,
  units integer not null,
  unpriced_units integer not null,
  value_cents bigint not null,
  constraint inventory_day_pkey PRIMARY KEY (day, age),
  constraint inventory_day_age_check CHECK ((age = ANY (ARRAY['under-6-months'::text, 'under-1-year'::text, 'under-2-years'::text, 'under-3-years'::text, 'over-3-years'::text, 'unknown'::text]))),
  constraint inventory_day_check CHECK (((unpriced_units >= 0) AND (unpriced_units <= units))),
  constraint inventory_day_units_check CHECK ((units > 0)),
  constraint inventory_day_value_cents_check CHECK ((value_cents >= 0))
);

-- What changed the value of the inventory. The ledger has a transfer of each.
create table inventory_movement (
  id bigint not null generated always as identity, -- Its number.
  kind text not null, -- What happened. Suppliers ship from their own stock, which is never inventory of the store.
  at timestamp with time zone not null, -- When.
  order_id bigint, -- The order of the parcel.
  shipment_id uuid, -- The parcel that left; once.
  receipt_id bigint, -- The delivery of a stock order; once.
  adjustment_id bigint, -- The adjustment by staff; once.
  import_run_id integer, -- The import that changed stock, or was rolled back; null once it is deleted.
  supplier_return_id bigint, -- The return to a supplier; once.
  constraint inventory_movement_pkey PRIMARY KEY (id),
  constraint inventory_movement_adjustment_id_key UNIQUE (adjustment_id),
  constraint inventory_movement_receipt_id_key UNIQUE (receipt_id),
  constraint inventory_movement_shipment_id_key UNIQUE (shipment_id),
  constraint inventory_movement_supplier_return_id_key UNIQUE (supplier_return_id),
  constraint inventory_movement_kind_check CHECK ((kind = ANY (ARRAY['opening'::text, 'received'::text, 'adjusted'::text, 'returned'::text, 'imported'::text, 'shipped'::text, 'supplier-shipped'::text, 'supplier-returned'::text]))),
  constraint inventory_movement_source CHECK ((((kind = ANY (ARRAY['shipped'::text, 'supplier-shipped'::text])) = (shipment_id IS NOT NULL)) AND ((shipment_id IS NULL) = (order_id IS NULL)) AND ((kind = 'received'::text) = (receipt_id IS NOT NULL)) AND ((kind = 'supplier-returned'::text) = (supplier_return_id IS NOT NULL)) AND ((adjustment_id IS NULL) OR (kind = ANY (ARRAY['adjusted'::text, 'returned'::text]))) AND ((import_run_id IS NULL) OR (kind = 'imported'::text)))),
  constraint inventory_movement_adjustment_id_fkey FOREIGN KEY (adjustment_id) REFERENCES stock_adjustment(id),
  constraint inventory_movement_import_run_id_fkey FOREIGN KEY (import_run_id) REFERENCES import_run(id) ON DELETE SET NULL,
  constraint inventory_movement_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint inventory_movement_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES stock_receipt(id),
  constraint inventory_movement_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id),
  constraint inventory_movement_supplier_return_id_fkey FOREIGN KEY (supplier_return_id) REFERENCES supplier_return(id)
);
CREATE INDEX inventory_movement_by_import ON inventory_movement USING btree (import_run_id) WHERE (import_run_id IS NOT NULL);
CREATE INDEX inventory_movement_by_order ON inventory_movement USING btree (order_id) WHERE (order_id IS NOT NULL);

-- The units and the value of each tire in a movement.
create table inventory_movement_line (
  movement_id bigint not null, -- The movement.
  item_id integer not null, -- The tire; its movements stay if the rollback of an import deletes it.
  units integer not null, -- Units that came in, or left if negative. A supplier's units never came in and are negative.
  cents bigint not null, -- Their value in cents, with the sign of the units.
  uncosted_units integer not null default 0, -- Units whose cost was unknown, which count as zero.
  constraint inventory_movement_line_pkey PRIMARY KEY (movement_id, item_id),
  constraint inventory_movement_line_check CHECK (((cents = 0) OR ((cents > 0) = (units > 0)))),
  constraint inventory_movement_line_uncosted CHECK ((((uncosted_units = 0) OR (uncosted_units = abs(units))) AND ((uncosted_units = 0) OR (cents = 0)))),
  constraint inventory_movement_line_units_check CHECK ((units <> 0)),
  constraint inventory_movement_line_movement_id_fkey FOREIGN KEY (movement_id) REFERENCES inventory_movement(id)
);
CREATE INDEX inventory_movement_line_by_item ON inventory_movement_line USING btree (item_id, movement_id);

-- The tires in the store's own warehouses at cost. Tires of orders count until the carrier or the customer has them.
create table inventory_value (
  item_id integer not null, -- The tire; without units, it may be one that the rollback of an import deleted.
  units integer not null default 0, -- Units in all warehouses of the store.
  value_cents bigint not null default 0, -- What all of these units cost, in cents; zero if the cost is unknown.
  constraint inventory_value_pkey PRIMARY KEY (item_id),
  constraint inventory_value_of_units CHECK (((units > 0) OR (value_cents = 0))),
  constraint inventory_value_units_check CHECK ((units >= 0)),
  constraint inventory_value_value_cents_check CHECK ((value_cents >= 0))
);

-- What a company on net terms owes for an order.
create table invoice (
  order_id bigint not null,
  amount_cents integer not null,
  net_days smallint not null,
  issued_on date not null,
  due_on date not null,
  state text not null default 'open'::text,
  settled_at timestamp with time zone,
  settled_by text,
  reference text,
  lowered_cents integer not null default 0, -- What the invoice was lowered by since it was issued; amount_cents is what is left to pay.
  paid_cents integer not null default 0, -- The sum of its payments.
  constraint invoice_pkey PRIMARY KEY (order_id),
  constraint invoice_amount_cents_check CHECK (((amount_cents >= 0) AND ((amount_cents > 0) OR (state <> 'open'::text)))),
  constraint invoice_check CHECK (((state = 'open'::text) = (settled_at IS NULL))),
  constraint invoice_check1 CHECK (((settled_at IS NULL) = (settled_by IS NULL))),
  constraint invoice_check2 CHECK (((state = 'paid'::text) = (reference IS NOT NULL))),
  constraint invoice_due_after_its_days CHECK ((due_on = (issued_on + (net_days)::integer))), -- The day to pay is the day of the order and the net days after it.
  constraint invoice_lowered_cents_check CHECK ((lowered_cents >= 0)),
  constraint invoice_net_days_check CHECK (((net_days >= 1) AND (net_days <= 120))),
  constraint invoice_paid_whole CHECK (((state = 'paid'::text) = (paid_cents = amount_cents))), -- An invoice is paid exactly if its payments come to its amount.
  constraint invoice_paid_within CHECK (((paid_cents >= 0) AND (paid_cents <= amount_cents))),
  constraint invoice_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 60))),
  constraint invoice_settled_by_check CHECK (((length(settled_by) >= 1) AND (length(settled_by) <= 254))),
  constraint invoice_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'canceled'::text]))),
  constraint invoice_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX invoice_open ON invoice USING btree (due_on, order_id) WHERE (state = 'open'::text);
CREATE TRIGGER invoice_within_credit BEFORE INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_within_credit(); -- What a company owes stays within its limit.
CREATE TRIGGER order_paid_in_one_way BEFORE INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION order_paid_in_one_way(); -- An order has a charge or an invoice.

-- Payments of companies on their invoices, each with its transfer or check number.
create table invoice_payment (
  order_id bigint not null,
  reference text not null,
  amount_cents integer not null,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  constraint invoice_payment_pkey PRIMARY KEY (order_id, reference),
  constraint invoice_payment_amount_cents_check CHECK ((amount_cents > 0)),
  constraint invoice_payment_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 254))),
  constraint invoice_payment_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 60))),
  constraint invoice_payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES invoice(order_id)
);

-- Articles: a product line in one size, with its marks, price and weight.
create table item (
  id integer not null,
  product_line_id integer not null,
  size_id integer not null,
  sku text not null,
  load_index smallint,
  dual_load_index smallint,
  speed text,
  load_class text,
  load_range text,
  ply_rating smallint not null,
  max_load_lb integer not null,
  max_psi smallint not null,
  measured_width_mm numeric(6,2) not null,
  measured_diameter_mm numeric(7,2) not null,
  rim_width_min_in numeric(4,2) not null,
  rim_width_max_in numeric(4,2) not null,
  tread_depth_32nds numeric(4,1) not null,
  weight_lb numeric(6,1) not null,
  utqg_treadwear smallint,
  utqg_traction text,
  utqg_temperature text,
  run_flat boolean not null default false,
  sidewall text not null default 'BSW'::text,
  oe_mark text,
  warranty_miles integer,
  oldest_dot_week date,
  retail_cents integer not null,
  fet_cents integer not null default 0,
  listed boolean not null default true, -- A feed says that it is for sale.
  changed_at timestamp with time zone not null default now(),
  cost_cents integer,
  shown_cents integer not null generated always as ((retail_cents + fet_cents)) stored,
  map_cents integer, -- MAP: the maker's minimum advertised price of one tire, in cents.
  map_set_at timestamp with time zone,
  hidden boolean not null default false, -- Staff took it off sale, whatever feeds say.
  active boolean generated always as ((listed AND (NOT hidden) AND (NOT retired))) stored,
  gtin text, -- The number in its bar code, in the shortest form.
  mpn text, -- The manufacturer part number.
  origin_country text,
  by_hand boolean not null default false, -- Staff added it: it stays listed although no feed names it.
  retired boolean not null default false, -- Its brand or model is retired; set by triggers.
  map_version integer not null default 1, -- Each time minimum advertised prices are set, their tires get the next version of the store, so that a form based on an older one is rejected.
  constraint item_pkey PRIMARY KEY (id),
  constraint item_gtin_key UNIQUE (gtin),
  constraint item_product_line_id_size_id_load_index_speed_load_class_lo_key UNIQUE NULLS NOT DISTINCT (product_line_id, size_id, load_index, speed, load_class, load_range, run_flat, oe_mark, sidewall),
  constraint item_sku_key UNIQUE (sku),
  constraint item_check CHECK ((rim_width_min_in <= rim_width_max_in)),
  constraint item_check1 CHECK ((((utqg_treadwear IS NULL) = (utqg_traction IS NULL)) AND ((utqg_treadwear IS NULL) = (utqg_temperature IS NULL)))),
  constraint item_cost_cents_check CHECK ((cost_cents > 0)),
  constraint item_dual_load_index_check CHECK (((dual_load_index >= 0) AND (dual_load_index <= 160))),
  constraint item_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint item_gtin_check CHECK (is_gtin(gtin)),
  constraint item_id_check CHECK ((id > 0)),
  constraint item_load_class_check CHECK ((load_class = ANY (ARRAY['SL'::text, 'XL'::text, 'HL'::text]))),
  constraint item_load_index_check CHECK (((load_index >= 0) AND (load_index <= 160))),
  constraint item_map_cents_check CHECK (((map_cents >= 1) AND (map_cents <= 10000000))),
  constraint item_map_dated CHECK (((map_cents IS NULL) OR (map_set_at IS NOT NULL))),
  constraint item_map_version_check CHECK ((map_version > 0)),
  constraint item_max_load_lb_check CHECK ((max_load_lb > 0)),
  constraint item_mpn_check CHECK (((length(mpn) >= 1) AND (length(mpn) <= 70))),
  constraint item_origin_country_check CHECK ((origin_country ~ '^[A-Z]{2}$'::text)),
  constraint item_retail_cents_check CHECK ((retail_cents > 0)),
  constraint item_sidewall_check CHECK ((sidewall = ANY (ARRAY['BSW'::text, 'OWL'::text, 'VSB'::text]))),
  constraint item_warranty_miles_check CHECK ((warranty_miles > 0)),
  constraint item_weight_lb_check CHECK ((weight_lb > (0)::numeric)),
  constraint item_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id),
  constraint item_size_id_fkey FOREIGN KEY (size_id) REFERENCES size(id)
);
CREATE INDEX item_by_line ON item USING btree (product_line_id, shown_cents, id) INCLUDE (size_id, run_flat) WHERE active;
CREATE INDEX item_by_map ON item USING btree (id) WHERE (map_cents IS NOT NULL);
CREATE INDEX item_by_map_version ON item USING btree (map_version) WHERE (map_version > 1);
CREATE INDEX item_by_size ON item USING btree (size_id) INCLUDE (product_line_id, shown_cents, id, run_flat) WHERE active;
CREATE INDEX item_by_sku_part ON item USING gin (lower(sku) gin_trgm_ops);
CREATE INDEX item_by_sku_start ON item USING btree (lower(sku) text_pattern_ops);
CREATE INDEX item_by_weight ON item USING btree (weight_lb) WHERE active;
CREATE INDEX item_of_line ON item USING btree (product_line_id, id);
CREATE INDEX item_of_line_by_sku ON item USING btree (product_line_id, lower(sku) text_pattern_ops);
CREATE INDEX item_of_size ON item USING btree (size_id, id);
CREATE INDEX item_of_size_by_sku ON item USING btree (size_id, lower(sku) text_pattern_ops);
CREATE TRIGGER item_changed BEFORE UPDATE ON item FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION item_changed();
CREATE TRIGGER item_retired BEFORE INSERT OR UPDATE OF product_line_id ON item FOR EACH ROW EXECUTE FUNCTION item_retired();

-- The highest article number an import ever gave, so that none is given twice. One row.
create table item_number (
  only_one boolean not null default true,
  last integer not null,
  constraint item_number_pkey PRIMARY KEY (only_one),
  constraint item_number_last_check CHECK ((last >= 100000)),
  constraint item_number_only_one_check CHECK (only_one)
);

-- What a finished job or a no-show pays its shop. Only added to.
create table job_pay (
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  shop_id integer not null,
  order_id bigint not null,
  at timestamp with time zone not null,
  on_day date not null,
  due_at timestamp with time zone not null,
  dispute_until timestamp with time zone not null,
  amount_cents integer not null,
  constraint job_pay_pkey PRIMARY KEY (id),
  constraint job_pay_of_shop UNIQUE (shop_id, id),
  constraint job_pay_once UNIQUE (booking_id),
  constraint job_pay_amount_cents_check CHECK (((amount_cents >= 0) AND (amount_cents <= 10000000))),
  constraint job_pay_check CHECK (((due_at >= at) AND (dispute_until >= at))),
  constraint job_pay_kind_check CHECK ((kind = ANY (ARRAY['finished'::text, 'no-show'::text]))),
  constraint job_pay_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint job_pay_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint job_pay_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX job_pay_by_day ON job_pay USING btree (shop_id, on_day);
CREATE INDEX job_pay_by_order ON job_pay USING btree (order_id);
CREATE TRIGGER job_pay_append_only BEFORE DELETE OR UPDATE ON job_pay FOR EACH ROW EXECUTE FUNCTION pay_is_only_added_to();

-- The tires of a job's pay, each at the rate of the matrix on its day. Only added to.
create table job_pay_line (
  job_pay_id uuid not null,
  line_no smallint not null,
  quantity smallint not null,
  description text not null,
  job text,
  rim_in numeric(4,1),
  rate_cents integer not null,
  service text, -- The kind of a service without tires; its rate is the shop’s price.
  constraint job_pay_line_pkey PRIMARY KEY (job_pay_id, line_no),
  constraint job_pay_line_job_check CHECK ((job = ANY (ARRAY['standard'::text, 'low-profile'::text, 'run-flat'::text, 'light-truck'::text]))),
  constraint job_pay_line_of_tires_or_service CHECK ((num_nonnulls(job, rim_in) =
CASE
    WHEN (service IS NULL) THEN 2
    ELSE 0
END)),
  constraint job_pay_line_quantity_check CHECK ((quantity > 0)),
  constraint job_pay_line_service_check CHECK (((service ~ '^[a-z]+(-[a-z]+)*$'::text) AND (length(service) <= 40))),
  constraint job_pay_line_within_bounds CHECK (
CASE
    WHEN (service IS NULL) THEN ((rate_cents >= 1500) AND (rate_cents <= 2400))
    ELSE ((rate_cents >= 1) AND (rate_cents <= 100000))
END),
  constraint job_pay_line_job_pay_id_fkey FOREIGN KEY (job_pay_id) REFERENCES job_pay(id)
);
CREATE TRIGGER job_pay_line_append_only BEFORE DELETE OR UPDATE ON job_pay_line FOR EACH ROW EXECUTE FUNCTION pay_is_only_added_to();

-- Appointments that a shop still does after its last day.
create table kept_appointment (
  booking_id uuid not null,
  shop_id integer not null,
  reason text not null,
  kept_by text not null,
  kept_at timestamp with time zone not null,
  constraint kept_appointment_pkey PRIMARY KEY (booking_id),
  constraint kept_appointment_kept_by_check CHECK (((length(kept_by) >= 1) AND (length(kept_by) <= 254))),
  constraint kept_appointment_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint kept_appointment_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint kept_appointment_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX kept_appointment_by_shop ON kept_appointment USING btree (shop_id);

-- Models that exist without sizes on record, so that a vehicle can be named and its label asked for.
create table known_model (
  make text not null,
  model text not null,
  make_slug text not null,
  model_slug text not null,
  first_year smallint not null,
  last_year smallint not null,
  vclass text not null,
  constraint known_model_pkey PRIMARY KEY (make_slug, model_slug, first_year),
  constraint known_model_check CHECK ((first_year <= last_year))
);

-- Double entry: the entries of one transfer sum to zero, debits positive, credits negative.
create table ledger_entry (
  id bigint not null generated always as identity,
  transfer_id uuid not null,
  order_id bigint,
  account text not null,
  amount_cents integer not null,
  reason text not null,
  at timestamp with time zone not null,
  owner_id uuid,
  membership_term_id uuid,
  credit_grant_id uuid,
  inventory_movement_id bigint, -- The movement of inventory; null for other entries.
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_account_check CHECK ((account = ANY (ARRAY['receivable'::text, 'cash'::text, 'sales'::text, 'sales-tax'::text, 'tire-fee'::text, 'excise-tax'::text, 'refunds'::text, 'handling-fees'::text, 'referral-rewards'::text, 'goodwill'::text, 'store-credit'::text, 'memberships'::text, 'disputes'::text, 'dispute-fees'::text, 'inventory'::text, 'cost-of-goods-sold'::text, 'goods-received-not-invoiced'::text, 'inventory-adjustments'::text]))),
  constraint ledger_entry_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint ledger_entry_inventory_has_movement CHECK (((inventory_movement_id IS NOT NULL) OR (account <> ALL (ARRAY['inventory'::text, 'cost-of-goods-sold'::text, 'goods-received-not-invoiced'::text, 'inventory-adjustments'::text])))),
  constraint ledger_entry_of_one_thing CHECK ((num_nonnulls(COALESCE(order_id, inventory_movement_id), membership_term_id, credit_grant_id) = 1)), -- An entry is of an order, a movement of inventory, or both, or of a membership term or store credit that staff gave.
  constraint ledger_entry_owner_of_credit CHECK (((owner_id IS NULL) OR (account = 'store-credit'::text))),
  constraint ledger_entry_credit_grant_id_fkey FOREIGN KEY (credit_grant_id) REFERENCES credit_grant(id),
  constraint ledger_entry_inventory_movement_id_fkey FOREIGN KEY (inventory_movement_id) REFERENCES inventory_movement(id),
  constraint ledger_entry_membership_term_id_fkey FOREIGN KEY (membership_term_id) REFERENCES membership_term(id),
  constraint ledger_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint ledger_entry_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX ledger_entry_by_credit_grant ON ledger_entry USING btree (credit_grant_id) WHERE (credit_grant_id IS NOT NULL);
CREATE INDEX ledger_entry_by_inventory_movement ON ledger_entry USING btree (inventory_movement_id) WHERE (inventory_movement_id IS NOT NULL);
CREATE INDEX ledger_entry_by_order ON ledger_entry USING btree (order_id);
CREATE INDEX ledger_entry_by_time ON ledger_entry USING brin (at) WITH (pages_per_range='16');
CREATE INDEX ledger_entry_by_transfer ON ledger_entry USING btree (transfer_id);
CREATE INDEX ledger_entry_of_credit ON ledger_entry USING btree (owner_id) WHERE (owner_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT OR UPDATE ON ledger_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balances(); -- The entries of a transfer sum to zero when it is committed.
CREATE CONSTRAINT TRIGGER webhooks_of_refund AFTER INSERT ON ledger_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.account = 'refunds'::text) AND (new.amount_cents > 0) AND (new.order_id IS NOT NULL) AND (new.reason <> 'difference waived'::text))) EXECUTE FUNCTION write_refund_issued(); -- Endpoints are sent refunds of orders.

-- Photos of a product line or of one item, in the order that staff chose.
create table line_picture (
  id bigint not null generated always as identity,
  product_line_id integer, -- The line whose items all show it; null for a photo of one item.
  picture_key text not null,
  description text not null,
  position integer not null default 0, -- Lower ones come first; then the older one.
  item_id integer, -- The only item that shows it, before the photos of its line.
  constraint line_picture_pkey PRIMARY KEY (id),
  constraint line_picture_item_id_picture_key_key UNIQUE (item_id, picture_key),
  constraint line_picture_product_line_id_picture_key_key UNIQUE (product_line_id, picture_key),
  constraint line_picture_description_check CHECK (((length(description) >= 1) AND (length(description) <= 200))),
  constraint line_picture_of_line_or_item CHECK ((num_nonnulls(product_line_id, item_id) = 1)),
  constraint line_picture_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint line_picture_picture_key_fkey FOREIGN KEY (picture_key) REFERENCES catalog_picture(key),
  constraint line_picture_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE
);

-- Sums of the published reviews of a line.
create table line_rating (
  product_line_id integer not null,
  review_count integer not null,
  overall_hundredths smallint not null,
  dry_hundredths smallint,
  wet_hundredths smallint,
  winter_hundredths smallint,
  comfort_hundredths smallint,
  noise_hundredths smallint,
  treadwear_hundredths smallint,
  buy_again_percent smallint not null,
  histogram integer[] not null,
  ranking integer generated always as (((((review_count * overall_hundredths) + (8 * 360)) * 100) / (review_count + 8))) stored,
  constraint line_rating_pkey PRIMARY KEY (product_line_id),
  constraint line_rating_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE
);
CREATE INDEX line_rating_best ON line_rating USING btree (ranking DESC, product_line_id);

-- Addresses that get only emails about their orders: bounced for good, or called an email spam.
create table mail_block (
  id bigint not null generated always as identity,
  email text not null,
  reason text not null,
  detail text,
  order_id bigint,
  blocked_at timestamp with time zone not null,
  cleared_at timestamp with time zone,
  cleared_by text,
  constraint mail_block_pkey PRIMARY KEY (id),
  constraint mail_block_cleared_by_check CHECK (((length(cleared_by) >= 1) AND (length(cleared_by) <= 254))),
  constraint mail_block_cleared_whole CHECK (((cleared_at IS NULL) = (cleared_by IS NULL))),
  constraint mail_block_detail_check CHECK ((length(detail) <= 500)),
  constraint mail_block_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint mail_block_reason_check CHECK ((reason = ANY (ARRAY['bounced'::text, 'complained'::text]))),
  constraint mail_block_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE SET NULL
);
CREATE INDEX mail_block_by_order ON mail_block USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE UNIQUE INDEX mail_block_once ON mail_block USING btree (email) WHERE (cleared_at IS NULL);
CREATE INDEX mail_block_to_check ON mail_block USING btree (blocked_at, id) WHERE ((cleared_at IS NULL) AND (reason = 'bounced'::text));

-- Addresses that stopped mails of a kind.
create table mail_stop (
  kind text not null,
  email text not null,
  stopped_at timestamp with time zone not null,
  constraint mail_stop_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint mail_stop_kind_check CHECK ((kind = ANY (ARRAY['rotation-due'::text, 'membership-ending'::text, 'referral-invite'::text, 'review-invitation'::text, 'shop-booking-news'::text, 'shop-appointment-news'::text, 'shop-daily-summary'::text])))
);
CREATE UNIQUE INDEX mail_stop_once ON mail_stop USING btree (kind, mailbox_of(email));

-- A carrier's form for the parcels of a day from one warehouse.
create table manifest (
  id bigint not null generated always as identity, -- Its number: M-12.
  warehouse_id smallint not null, -- Where the parcels are picked up.
  carrier text not null, -- The carrier on the labels.
  state text not null default 'requested'::text, -- requested until the carrier created the form or failed to.
  request_key uuid not null, -- The form that staff submitted; the same form creates it once.
  carrier_ref text, -- The carrier's reference; null before it answered.
  failure text, -- Why the carrier did not create it.
  requested_at timestamp with time zone not null, -- When staff requested it.
  requested_by text not null, -- Who requested it.
  ended_at timestamp with time zone, -- When the carrier created it or failed to.
  file_key uuid, -- The form as PDF; null until it is stored.
  constraint manifest_pkey PRIMARY KEY (id),
  constraint manifest_carrier_ref_key UNIQUE (carrier_ref),
  constraint manifest_file_key_key UNIQUE (file_key),
  constraint manifest_once_per_request UNIQUE (request_key, carrier),
  constraint manifest_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 100))),
  constraint manifest_carrier_ref_check CHECK (((length(carrier_ref) >= 1) AND (length(carrier_ref) <= 100))),
  constraint manifest_check CHECK ((ended_at >= requested_at)),
  constraint manifest_created_by_carrier CHECK (((state <> 'created'::text) OR (carrier_ref IS NOT NULL))),
  constraint manifest_ended CHECK (((state = 'requested'::text) = (ended_at IS NULL))),
  constraint manifest_failure CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  constraint manifest_failure_check CHECK (((length(failure) >= 1) AND (length(failure) <= 300))),
  constraint manifest_file_of_created CHECK (((file_key IS NULL) OR (state = 'created'::text))),
  constraint manifest_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 300))),
  constraint manifest_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'created'::text, 'failed'::text]))),
  constraint manifest_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint manifest_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX manifest_by_warehouse ON manifest USING btree (warehouse_id, id);
CREATE UNIQUE INDEX manifest_one_requested ON manifest USING btree (warehouse_id, carrier) WHERE (state = 'requested'::text);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON manifest FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- A parcel that was requested on a manifest.
create table manifest_parcel (
  manifest_id bigint not null, -- The manifest.
  shipment_id uuid not null, -- The parcel with its label.
  carrier_ref text not null, -- The carrier's reference of the parcel.
  tracking_number text not null, -- The number on its label.
  refusal text, -- Why it is not on the manifest; null while it is.
  constraint manifest_parcel_pkey PRIMARY KEY (manifest_id, shipment_id),
  constraint manifest_parcel_carrier_ref_check CHECK (((length(carrier_ref) >= 1) AND (length(carrier_ref) <= 100))),
  constraint manifest_parcel_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 300))),
  constraint manifest_parcel_tracking_number_check CHECK (((length(tracking_number) >= 1) AND (length(tracking_number) <= 100))),
  constraint manifest_parcel_manifest_id_fkey FOREIGN KEY (manifest_id) REFERENCES manifest(id) ON DELETE CASCADE,
  constraint manifest_parcel_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment_label(shipment_id) ON DELETE CASCADE
);
CREATE INDEX manifest_parcel_by_shipment ON manifest_parcel USING btree (shipment_id);
CREATE UNIQUE INDEX manifest_parcel_once ON manifest_parcel USING btree (shipment_id) WHERE (refusal IS NULL);
CREATE TRIGGER manifest_parcel_has_usable_label BEFORE INSERT OR UPDATE OF shipment_id, refusal ON manifest_parcel FOR EACH ROW WHEN ((new.refusal IS NULL)) EXECUTE FUNCTION manifest_parcel_has_usable_label(); -- A voided label is on no manifest.

-- Consents to renew a membership with a saved card, and who stopped them.
create table membership_auto_renewal (
  id uuid not null,
  account_id uuid not null,
  consent_version text not null,
  consented_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  stopped_by text,
  constraint membership_auto_renewal_pkey PRIMARY KEY (id),
  constraint membership_auto_renewal_check CHECK ((stopped_at >= consented_at)),
  constraint membership_auto_renewal_consent_version_check CHECK (((length(consent_version) >= 1) AND (length(consent_version) <= 20))),
  constraint membership_auto_renewal_stopped_by_check CHECK ((stopped_by = ANY (ARRAY['member'::text, 'link'::text, 'store'::text]))),
  constraint membership_auto_renewal_stopped_by_someone CHECK (((stopped_at IS NULL) = (stopped_by IS NULL))),
  constraint membership_auto_renewal_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX membership_auto_renewal_by_account ON membership_auto_renewal USING btree (account_id);
CREATE UNIQUE INDEX membership_auto_renewal_one ON membership_auto_renewal USING btree (account_id) WHERE (stopped_at IS NULL);

-- Every change of such a year, with who and when.
create table membership_event (
  id bigint not null generated always as identity,
  term_id uuid not null,
  at timestamp with time zone not null,
  from_state text not null,
  to_state text not null,
  actor text not null,
  constraint membership_event_pkey PRIMARY KEY (id),
  constraint membership_event_term_id_fkey FOREIGN KEY (term_id) REFERENCES membership_term(id)
);
CREATE INDEX membership_event_by_term ON membership_event USING btree (term_id);

-- Renewals that were announced: what is charged and when, and the term that came of it.
create table membership_renewal (
  id uuid not null,
  follows_term_id uuid not null,
  amount_cents integer not null,
  told_at timestamp with time zone not null,
  charge_at timestamp with time zone not null,
  state text not null default 'told'::text,
  term_id uuid,
  constraint membership_renewal_pkey PRIMARY KEY (id),
  constraint membership_renewal_follows_term_id_key UNIQUE (follows_term_id),
  constraint membership_renewal_term_id_key UNIQUE (term_id),
  constraint membership_renewal_amount_cents_check CHECK ((amount_cents > 0)),
  constraint membership_renewal_made_a_term CHECK (((state = 'renewed'::text) = (term_id IS NOT NULL))),
  constraint membership_renewal_state_check CHECK ((state = ANY (ARRAY['told'::text, 'renewed'::text, 'lapsed'::text]))),
  constraint membership_renewal_told_before CHECK ((charge_at >= (told_at + '7 days'::interval))),
  constraint membership_renewal_follows_term_id_fkey FOREIGN KEY (follows_term_id) REFERENCES membership_term(id),
  constraint membership_renewal_term_id_fkey FOREIGN KEY (term_id) REFERENCES membership_term(id)
);
CREATE INDEX membership_renewal_due ON membership_renewal USING btree (charge_at) WHERE (state = 'told'::text);

-- The tries to charge a renewal, each with a charge of its own.
create table membership_renewal_try (
  renewal_id uuid not null,
  no smallint not null,
  payment_id uuid,
  begun_at timestamp with time zone not null,
  taken_until timestamp with time zone not null,
  outcome text,
  constraint membership_renewal_try_pkey PRIMARY KEY (renewal_id, no),
  constraint membership_renewal_try_payment_id_key UNIQUE (payment_id),
  constraint membership_renewal_try_charged CHECK (((outcome IS NULL) OR ((outcome = 'no-card'::text) = (payment_id IS NULL)))),
  constraint membership_renewal_try_no_check CHECK (((no >= 1) AND (no <= 3))),
  constraint membership_renewal_try_outcome_check CHECK ((outcome = ANY (ARRAY['paid'::text, 'declined'::text, 'needs-approval'::text, 'no-card'::text]))),
  constraint membership_renewal_try_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint membership_renewal_try_renewal_id_fkey FOREIGN KEY (renewal_id) REFERENCES membership_renewal(id)
);
CREATE UNIQUE INDEX membership_renewal_one_try_at_work ON membership_renewal_try USING btree (renewal_id) WHERE (outcome IS NULL);
CREATE UNIQUE INDEX membership_renewal_paid_once ON membership_renewal_try USING btree (renewal_id) WHERE (outcome = 'paid'::text);

-- Years of membership that were bought.
create table membership_term (
  id uuid not null,
  account_id uuid,
  state text not null default 'draft'::text,
  price_cents integer not null,
  begun_at timestamp with time zone not null,
  bought_at timestamp with time zone,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  wants_reminders boolean not null default true,
  constraint membership_term_pkey PRIMARY KEY (id),
  constraint membership_one_at_a_time EXCLUDE USING gist (account_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE ((state = 'active'::text)), -- Years of membership follow each other.
  constraint membership_term_check CHECK (((state = 'draft'::text) = (bought_at IS NULL))),
  constraint membership_term_check1 CHECK ((((bought_at IS NULL) = (starts_at IS NULL)) AND ((bought_at IS NULL) = (ends_at IS NULL)))),
  constraint membership_term_check2 CHECK ((starts_at < ends_at)),
  constraint membership_term_price_cents_check CHECK ((price_cents > 0)),
  constraint membership_term_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'active'::text, 'refunded'::text, 'failed'::text]))),
  constraint membership_term_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX membership_by_account ON membership_term USING btree (account_id, ends_at);
CREATE INDEX membership_ending ON membership_term USING btree (ends_at) WHERE ((state = 'active'::text) AND wants_reminders);
CREATE UNIQUE INDEX membership_one_draft ON membership_term USING btree (account_id) WHERE (state = 'draft'::text);
CREATE INDEX membership_refunded ON membership_term USING btree (bought_at) WHERE (state = 'refunded'::text);

-- Mails, each sent at most once by its key.
create table message (
  id uuid not null,
  key text not null,
  kind text not null,
  to_address text not null,
  order_id bigint,
  state text not null default 'queued'::text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint message_pkey PRIMARY KEY (id),
  constraint message_key_key UNIQUE (key),
  constraint message_sent_whole CHECK (((state = ANY (ARRAY['sent'::text, 'bounced'::text, 'complained'::text])) = (sent_at IS NOT NULL))),
  constraint message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'refused'::text, 'dropped'::text, 'bounced'::text, 'complained'::text]))),
  constraint message_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX message_by_order ON message USING btree (order_id);
CREATE INDEX message_refused ON message USING btree (created_at) WHERE (state = 'refused'::text);

-- Verifications that accounts have begun at the provider; the answer must come back to the same account.
create table military_attempt (
  account_id uuid not null,
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_path text not null,
  begun_at timestamp with time zone not null,
  constraint military_attempt_pkey PRIMARY KEY (account_id),
  constraint military_attempt_code_verifier_check CHECK (((length(code_verifier) >= 43) AND (length(code_verifier) <= 128))),
  constraint military_attempt_nonce_check CHECK (((length(nonce) >= 32) AND (length(nonce) <= 64))),
  constraint military_attempt_return_path_check CHECK (((length(return_path) >= 1) AND (length(return_path) <= 200))),
  constraint military_attempt_state_check CHECK (((length(state) >= 32) AND (length(state) <= 64))),
  constraint military_attempt_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX military_attempt_by_begin ON military_attempt USING btree (begun_at);

-- Accounts whose owner an identity provider has verified as serving or having served, for a year.
create table military_verification (
  account_id uuid not null,
  subject text not null, -- A hash of the provider and its subject: one person gives one account the discount.
  service_group text not null,
  verified_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  constraint military_verification_pkey PRIMARY KEY (account_id),
  constraint military_person_once UNIQUE (subject),
  constraint military_for_a_year CHECK (((ends_at > verified_at) AND (ends_at <= (verified_at + '366 days'::interval)))),
  constraint military_verification_service_group_check CHECK (((length(service_group) >= 1) AND (length(service_group) <= 60))),
  constraint military_verification_subject_check CHECK ((subject ~ '^[0-9a-f]{64}$'::text)),
  constraint military_verification_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX military_verification_by_end ON military_verification USING btree (ends_at);

-- Searches of the store that found nothing, by day and text; the text is empty where it may hold personal data.
create table missed_search_day (
  day date not null,
  query text not null,
  searches integer not null,
  constraint missed_search_day_pkey PRIMARY KEY (day, query),
  constraint missed_search_day_query_check CHECK ((length(query) <= 60)),
  constraint missed_search_day_searches_check CHECK ((searches > 0))
);

-- Other names of a model: "F-250" for the F-250 Super Duty.
create table model_alias (
  make_slug text not null,
  alias_slug text not null,
  alias text not null,
  model_make_slug text not null,
  model_slug text not null,
  first_year smallint,
  last_year smallint,
  constraint model_alias_pkey PRIMARY KEY (make_slug, alias_slug, model_make_slug, model_slug),
  constraint model_alias_check CHECK (((make_slug <> model_make_slug) OR (alias_slug <> model_slug))),
  constraint model_alias_check1 CHECK ((first_year <= last_year))
);

-- How often an objective was kept and missed in an hour, by all processes together.
create table objective_hour (
  objective text not null,
  hour timestamp with time zone not null,
  good integer not null default 0,
  bad integer not null default 0,
  constraint objective_hour_pkey PRIMARY KEY (objective, hour),
  constraint objective_hour_bad_check CHECK ((bad >= 0)),
  constraint objective_hour_good_check CHECK ((good >= 0)),
  constraint objective_hour_hour_check CHECK ((date_trunc('hour'::text, hour, 'UTC'::text) = hour)),
  constraint objective_hour_objective_check CHECK ((objective = ANY (ARRAY['orders'::text, 'times'::text, 'purchases'::text])))
);

-- Original tires of a vehicle: size and service description by axle, one row for each option.
create table oe_fitment (
  id integer not null generated always as identity,
  vehicle_id integer not null,
  front_size text not null,
  front_load_index smallint,
  front_speed text,
  rear_size text not null,
  rear_load_index smallint,
  rear_speed text,
  source text not null,
  list_id integer not null default 1,
  constraint oe_fitment_pkey PRIMARY KEY (id),
  constraint oe_fitment_front_load_index_check CHECK (((front_load_index >= 0) AND (front_load_index <= 160))),
  constraint oe_fitment_rear_load_index_check CHECK (((rear_load_index >= 0) AND (rear_load_index <= 160))),
  constraint oe_fitment_source_check CHECK ((source = ANY (ARRAY['catalog'::text, 'weak'::text]))),
  constraint oe_fitment_list_id_fkey FOREIGN KEY (list_id) REFERENCES size_list(id),
  constraint oe_fitment_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicle(id) ON DELETE CASCADE
);
CREATE INDEX oe_fitment_by_front_size ON oe_fitment USING btree (front_size);
CREATE INDEX oe_fitment_by_list ON oe_fitment USING btree (list_id) WHERE (list_id > 1);
CREATE UNIQUE INDEX oe_fitment_once ON oe_fitment USING btree (vehicle_id, list_id, front_size, rear_size);

-- Browsers in which somebody has the back office open.
create table office_session (
  id uuid not null,
  secret_hash bytea not null,
  issuer text not null,
  subject text not null,
  name text,
  id_token bytea,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint office_session_pkey PRIMARY KEY (id),
  constraint office_session_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint office_session_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE INDEX office_session_by_time ON office_session USING btree (created_at);
CREATE INDEX office_session_of_person ON office_session USING btree (issuer, subject) WHERE (ended_at IS NULL);

-- What staff do about charges that need people: who works on each, and what the customer was asked.
create table open_charge (
  payment_id uuid not null,
  owner text,
  owned_since timestamp with time zone,
  told_at timestamp with time zone,
  told_by text,
  pay_until timestamp with time zone,
  constraint open_charge_pkey PRIMARY KEY (payment_id),
  constraint open_charge_asked_is_told CHECK (((pay_until IS NULL) OR (told_at IS NOT NULL))),
  constraint open_charge_owned_whole CHECK (((owner IS NULL) = (owned_since IS NULL))),
  constraint open_charge_owner_check CHECK (((length(owner) >= 1) AND (length(owner) <= 254))),
  constraint open_charge_told_by_check CHECK (((length(told_by) >= 1) AND (length(told_by) <= 254))),
  constraint open_charge_told_whole CHECK (((told_at IS NULL) = (told_by IS NULL))),
  constraint open_charge_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id)
);

-- An order above its member's limit, waiting for an approval, and what became of it.
create table order_approval (
  id uuid not null,
  company_id uuid not null,
  cart_id uuid not null,
  requested_by uuid,
  state text not null default 'waiting'::text,
  agreed_price text not null,
  total_cents integer not null,
  conditions_accepted boolean not null,
  terms_accepted_at timestamp with time zone not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by uuid,
  reason text,
  order_id bigint,
  constraint order_approval_pkey PRIMARY KEY (id),
  constraint order_approval_order_id_key UNIQUE (order_id),
  constraint order_approval_agreed_price_check CHECK (((length(agreed_price) >= 1) AND (length(agreed_price) <= 200))),
  constraint order_approval_check CHECK ((expires_at > requested_at)),
  constraint order_approval_decided CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
  constraint order_approval_in_time CHECK (((state <> 'approved'::text) OR (decided_at < expires_at))),
  constraint order_approval_ordered CHECK (((state = 'approved'::text) = (order_id IS NOT NULL))),
  constraint order_approval_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint order_approval_reasoned CHECK (((state = 'refused'::text) = (reason IS NOT NULL))),
  constraint order_approval_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text]))),
  constraint order_approval_total_cents_check CHECK ((total_cents >= 0)),
  constraint order_approval_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint order_approval_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE,
  constraint order_approval_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES account(id) ON DELETE SET NULL,
  constraint order_approval_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint order_approval_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX order_approval_by_cart ON order_approval USING btree (cart_id);
CREATE INDEX order_approval_by_company ON order_approval USING btree (company_id, id);
CREATE INDEX order_approval_by_decider ON order_approval USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE INDEX order_approval_by_requester ON order_approval USING btree (requested_by) WHERE (requested_by IS NOT NULL);
CREATE INDEX order_approval_ending ON order_approval USING btree (expires_at) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX order_approval_waits_once ON order_approval USING btree (cart_id) WHERE (state = 'waiting'::text);
CREATE CONSTRAINT TRIGGER cart_waits_for_approval AFTER INSERT OR DELETE OR UPDATE ON order_approval DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cart_waits_for_approval(); -- The same, seen from the request.
CREATE TRIGGER order_approval_life BEFORE UPDATE ON order_approval FOR EACH ROW EXECUTE FUNCTION order_approval_life(); -- What was decided stays decided.

-- Which partner's widget an order came from, once, with the share agreed on that day.
create table order_attribution (
  order_id bigint not null,
  widget_id text not null,
  commission_bp integer not null,
  attributed_at timestamp with time zone not null,
  source text, -- What the partner called the page with the widget; null where it had no name.
  constraint order_attribution_pkey PRIMARY KEY (order_id),
  constraint order_attribution_commission_bp_check CHECK (((commission_bp >= 0) AND (commission_bp <= 2000))),
  constraint order_attribution_source_check CHECK ((source ~ '^[A-Za-z0-9_.-]{1,40}$'::text)),
  constraint order_attribution_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint order_attribution_widget_id_fkey FOREIGN KEY (widget_id) REFERENCES partner_widget(id)
);
CREATE INDEX order_attribution_by_widget ON order_attribution USING btree (widget_id, order_id);
CREATE TRIGGER order_attribution_append_only BEFORE UPDATE ON order_attribution FOR EACH ROW EXECUTE FUNCTION commission_is_only_added_to();

-- Changes of the shop or fulfillment of an order after it was placed, and how the price difference was settled.
create table order_change (
  id uuid not null,
  order_id bigint not null,
  submission_key uuid not null,
  state text not null,
  fulfillment text not null,
  shop_id integer,
  carrier_location_id integer,
  booking_id uuid,
  from_shop_id integer,
  before_breakdown jsonb not null,
  breakdown jsonb not null,
  before_cents integer not null,
  after_cents integer not null,
  settled_by text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint order_change_pkey PRIMARY KEY (id),
  constraint order_change_submission_key_key UNIQUE (submission_key),
  constraint order_change_after_cents_check CHECK ((after_cents >= 0)),
  constraint order_change_before_cents_check CHECK ((before_cents >= 0)),
  constraint order_change_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint order_change_ended CHECK (((state = 'awaiting-payment'::text) = (ended_at IS NULL))),
  constraint order_change_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text, 'home'::text, 'carrier-pickup'::text]))),
  constraint order_change_has_its_bay CHECK (((shop_id IS NOT NULL) = (booking_id IS NOT NULL))),
  constraint order_change_link_expires CHECK (((settled_by = 'payment'::text) = (expires_at IS NOT NULL))),
  constraint order_change_only_links_wait CHECK (((state = 'done'::text) OR (settled_by = 'payment'::text))),
  constraint order_change_place CHECK ((((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text])) = (shop_id IS NOT NULL)) AND ((fulfillment = 'carrier-pickup'::text) = (carrier_location_id IS NOT NULL)))),
  constraint order_change_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 400))),
  constraint order_change_settled CHECK (
CASE
    WHEN (settled_by = 'nothing'::text) THEN (after_cents = before_cents)
    WHEN (settled_by = ANY (ARRAY['refund'::text, 'lower-charge'::text])) THEN (after_cents < before_cents)
    ELSE (after_cents > before_cents)
END),
  constraint order_change_settled_by_check CHECK ((settled_by = ANY (ARRAY['nothing'::text, 'refund'::text, 'lower-charge'::text, 'payment'::text, 'waiver'::text]))),
  constraint order_change_state_check CHECK ((state = ANY (ARRAY['awaiting-payment'::text, 'done'::text, 'expired'::text, 'withdrawn'::text, 'overtaken'::text]))),
  constraint order_change_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint order_change_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint order_change_from_shop_id_fkey FOREIGN KEY (from_shop_id) REFERENCES shop(id),
  constraint order_change_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint order_change_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX order_change_by_order ON order_change USING btree (order_id, created_at);
CREATE INDEX order_change_ending ON order_change USING btree (expires_at) WHERE (state = 'awaiting-payment'::text);
CREATE UNIQUE INDEX order_change_one_open ON order_change USING btree (order_id) WHERE (state = 'awaiting-payment'::text);

-- Codes emailed to open an order in one browser: one live code an order and browser, five attempts, ten minutes.
create table order_code (
  order_id bigint not null,
  browser_id uuid not null,
  id uuid not null,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint order_code_pkey PRIMARY KEY (order_id, browser_id),
  constraint order_code_id_key UNIQUE (id),
  constraint order_code_attempts_check CHECK (((attempts >= 0) AND (attempts <= 5))),
  constraint order_code_check CHECK ((expires_at = (created_at + '00:10:00'::interval))),
  constraint order_code_used_in_time CHECK (((used_at IS NULL) OR ((used_at < expires_at) AND (attempts > 0)))), -- A code opens its order only by an attempt within its ten minutes.
  constraint order_code_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);

-- Every change of an order, with who and when.
create table order_event (
  id bigint not null generated always as identity,
  order_id bigint not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint order_event_pkey PRIMARY KEY (id),
  constraint order_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_event_by_order ON order_event USING btree (order_id);
CREATE CONSTRAINT TRIGGER webhooks_of_order_event AFTER INSERT ON order_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.from_state IS NULL) OR (new.to_state = 'canceled'::text))) EXECUTE FUNCTION tell_of_order_event(); -- Endpoints are told of orders that are placed or canceled.

-- Orders placed with an unknown fit, with the result of a person’s check.
create table order_fit_check (
  order_id bigint not null,
  asked_at timestamp with time zone not null,
  result text,
  checked_by text,
  checked_at timestamp with time zone,
  constraint order_fit_check_pkey PRIMARY KEY (order_id),
  constraint order_fit_check_check CHECK ((checked_at >= asked_at)),
  constraint order_fit_check_checked_by_check CHECK (((length(checked_by) >= 1) AND (length(checked_by) <= 254))),
  constraint order_fit_check_result_check CHECK (((length(result) >= 1) AND (length(result) <= 400))),
  constraint order_fit_check_whole CHECK ((num_nulls(result, checked_by, checked_at) = ANY (ARRAY[0, 3]))),
  constraint order_fit_check_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_fit_check_waiting ON order_fit_check USING btree (asked_at) WHERE (checked_at IS NULL);

-- Lines of an order as they were priced.
create table order_line (
  order_id bigint not null,
  line_no smallint not null,
  kind text not null,
  item_id integer,
  axle text,
  description text not null,
  quantity smallint not null,
  unit_cents integer not null,
  gross_cents integer not null,
  discount_cents integer not null,
  net_cents integer not null,
  tax_cents integer not null,
  fet_cents integer not null,
  tire_fee_cents integer not null,
  unit_cost_cents integer, -- The cost of a tire from its source when it was placed or sourced, with freight, on average over several sources; null if unknown, and for services.
  coverage_plan text, -- Which plan was sold: replacement coverage, or the road hazard plan of branded stores.
  unit_freight_cents integer not null default 0, -- The freight in unit_cost_cents.
  service text, -- The kind of a service that needs no new tires.
  part_id integer,
  part_warehouse_id smallint, -- The warehouse that packs the part with tires of the order.
  constraint order_line_pkey PRIMARY KEY (order_id, line_no),
  constraint order_line_axle_check CHECK ((axle = ANY (ARRAY['all'::text, 'front'::text, 'rear'::text]))),
  constraint order_line_check CHECK (((kind = 'tire'::text) = (item_id IS NOT NULL))),
  constraint order_line_check1 CHECK ((gross_cents = (unit_cents * quantity))),
  constraint order_line_check2 CHECK ((net_cents = (gross_cents - discount_cents))),
  constraint order_line_coverage_has_a_plan CHECK (((kind = 'coverage'::text) = (coverage_plan IS NOT NULL))),
  constraint order_line_coverage_plan_check CHECK ((coverage_plan = ANY (ARRAY['replacement'::text, 'road-hazard'::text]))),
  constraint order_line_discount_cents_check CHECK ((discount_cents >= 0)),
  constraint order_line_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint order_line_kind_check CHECK ((kind = ANY (ARRAY['tire'::text, 'part'::text, 'coverage'::text, 'installation'::text, 'service-kit'::text, 'disposal'::text, 'roadside'::text, 'shipping'::text, 'service'::text]))),
  constraint order_line_net_cents_check CHECK ((net_cents >= 0)),
  constraint order_line_part_has_a_warehouse CHECK ((num_nonnulls(part_id, part_warehouse_id) =
CASE
    WHEN (kind = 'part'::text) THEN 2
    ELSE 0
END)),
  constraint order_line_quantity_check CHECK ((quantity > 0)),
  constraint order_line_service_check CHECK (((service ~ '^[a-z]+(-[a-z]+)*$'::text) AND (length(service) <= 40))),
  constraint order_line_service_has_a_kind CHECK (((kind = 'service'::text) = (service IS NOT NULL))),
  constraint order_line_tax_cents_check CHECK ((tax_cents >= 0)),
  constraint order_line_tire_fee_cents_check CHECK ((tire_fee_cents >= 0)),
  constraint order_line_unit_cents_check CHECK ((unit_cents >= 0)),
  constraint order_line_unit_cost_cents_check CHECK ((unit_cost_cents > 0)),
  constraint order_line_unit_freight_cents_check CHECK (((unit_freight_cents >= 0) AND (unit_freight_cents <= 50000))),
  constraint order_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint order_line_part_id_fkey FOREIGN KEY (part_id) REFERENCES part(id),
  constraint order_line_part_warehouse_id_fkey FOREIGN KEY (part_warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX order_line_by_item_newest ON order_line USING btree (item_id, order_id DESC) WHERE (item_id IS NOT NULL);
CREATE INDEX order_line_by_part ON order_line USING btree (part_id) WHERE (part_id IS NOT NULL);
CREATE INDEX order_line_by_part_warehouse ON order_line USING btree (part_warehouse_id) WHERE (part_warehouse_id IS NOT NULL);
CREATE TRIGGER order_of_service_is_only_that AFTER INSERT ON order_line FOR EACH ROW WHEN ((new.kind = 'service'::text)) EXECUTE FUNCTION order_of_service_is_only_that(); -- A service without tires is ordered at a shop, as the only line of its order.

-- Notes that staff keep on an order; the customer never sees them.
create table order_note (
  id bigint not null generated always as identity,
  order_id bigint not null,
  submission_key uuid not null,
  at timestamp with time zone not null,
  author text not null,
  body text not null,
  constraint order_note_pkey PRIMARY KEY (id),
  constraint order_note_submission_key_key UNIQUE (submission_key),
  constraint order_note_author_check CHECK (((length(author) >= 1) AND (length(author) <= 254))),
  constraint order_note_body_check CHECK (((length(body) >= 1) AND (length(body) <= 2000))),
  constraint order_note_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX order_note_by_order ON order_note USING btree (order_id, id);

-- Refunds of orders, each with its reason and who bears the cost: by staff, of units canceled before they shipped, and of orders that were late.
create table order_refund (
  id uuid not null,
  order_id bigint not null,
  submission_key uuid not null,
  state text not null,
  lines_cents integer not null,
  handling_fee_cents integer not null default 0,
  lowered_cents integer not null default 0,
  lower_reason text,
  goodwill_cents integer not null default 0,
  amount_cents integer not null,
  card_cents integer not null,
  credit_cents integer not null,
  invoice_cents integer not null,
  reason text not null,
  bearer text not null,
  note text,
  is_over_limit boolean not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  decided_at timestamp with time zone,
  decided_by text,
  kind text not null default 'refund'::text, -- Whether staff refunded, units were canceled before they shipped, or the whole order was late.
  constraint order_refund_pkey PRIMARY KEY (id),
  constraint order_refund_id_order_id_key UNIQUE (id, order_id),
  constraint order_refund_submission_key_key UNIQUE (submission_key),
  constraint order_refund_amount_adds_up CHECK ((amount_cents = (((lines_cents - handling_fee_cents) - lowered_cents) + goodwill_cents))),
  constraint order_refund_amount_cents_check CHECK ((amount_cents > 0)),
  constraint order_refund_bearer_check CHECK ((bearer = ANY (ARRAY['store'::text, 'supplier'::text, 'carrier'::text, 'shop'::text, 'maker'::text]))),
  constraint order_refund_card_cents_check CHECK ((card_cents >= 0)),
  constraint order_refund_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint order_refund_credit_cents_check CHECK ((credit_cents >= 0)),
  constraint order_refund_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint order_refund_decided_whole CHECK ((((state = 'draft'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint order_refund_draft_is_over_limit CHECK (((state = 'approved'::text) OR is_over_limit)),
  constraint order_refund_given_back_at_once CHECK (((kind = 'refund'::text) OR ((state = 'approved'::text) AND (NOT is_over_limit) AND (handling_fee_cents = 0) AND (goodwill_cents = 0)))), -- What is canceled or late goes back whole and at once: nobody decides about it.
  constraint order_refund_goes_somewhere CHECK (((amount_cents = ((card_cents + credit_cents) + invoice_cents)) AND ((invoice_cents = 0) OR (card_cents = 0)))),
  constraint order_refund_goodwill_cents_check CHECK ((goodwill_cents >= 0)),
  constraint order_refund_goodwill_without_lines CHECK (((goodwill_cents = 0) OR (lines_cents = 0))),
  constraint order_refund_handling_fee_cents_check CHECK ((handling_fee_cents >= 0)),
  constraint order_refund_invoice_cents_check CHECK ((invoice_cents >= 0)),
  constraint order_refund_kind_check CHECK ((kind = ANY (ARRAY['refund'::text, 'cancellation'::text, 'delay'::text]))),
  constraint order_refund_lines_cents_check CHECK ((lines_cents >= 0)),
  constraint order_refund_lower_reason_check CHECK ((lower_reason = ANY (ARRAY['refunded-before'::text, 'used-or-damaged'::text, 'agreed'::text, 'other'::text]))),
  constraint order_refund_lowered_cents_check CHECK ((lowered_cents >= 0)),
  constraint order_refund_lowered_with_reason CHECK (((lowered_cents > 0) = (lower_reason IS NOT NULL))),
  constraint order_refund_maker_bears_defects CHECK (((bearer <> 'maker'::text) OR (reason = 'defect'::text))),
  constraint order_refund_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint order_refund_reason_check CHECK ((reason = ANY (ARRAY['late'::text, 'damaged'::text, 'wrong-tire'::text, 'does-not-fit'::text, 'changed-mind'::text, 'defect'::text, 'service-not-done'::text, 'price'::text, 'other'::text]))),
  constraint order_refund_second_person CHECK (((is_over_limit = false) OR (state <> 'approved'::text) OR (decided_by <> created_by))), -- Over the limit, whoever asked for a refund does not approve it.
  constraint order_refund_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'approved'::text, 'declined'::text]))),
  constraint order_refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX order_refund_by_bearer ON order_refund USING btree (bearer, created_at, id);
CREATE INDEX order_refund_by_decision ON order_refund USING btree (decided_at) WHERE (state = 'approved'::text);
CREATE INDEX order_refund_by_order ON order_refund USING btree (order_id, created_at);
CREATE INDEX order_refund_by_reason ON order_refund USING btree (reason, created_at, id);
CREATE INDEX order_refund_by_time ON order_refund USING btree (created_at, id);
CREATE INDEX order_refund_cancellations ON order_refund USING btree (order_id) WHERE (kind = 'cancellation'::text);
CREATE INDEX order_refund_drafts ON order_refund USING btree (created_at, id) WHERE (state = 'draft'::text);
CREATE TRIGGER order_refund_decided_once BEFORE UPDATE ON order_refund FOR EACH ROW EXECUTE FUNCTION order_refund_decided_once(); -- A refund is approved or declined once, and is otherwise never changed.
CREATE CONSTRAINT TRIGGER order_refund_is_its_lines AFTER INSERT OR UPDATE ON order_refund DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_refund_is_its_lines(); -- A refund comes to the sum of its lines when it is committed.
CREATE CONSTRAINT TRIGGER webhooks_of_canceled_lines AFTER INSERT ON order_refund DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.kind = 'cancellation'::text)) EXECUTE FUNCTION write_order_changed(); -- Endpoints are sent orders of which units are canceled before they ship.

-- The units of an order line in a refund, with their share of price, sales tax, excise tax and state tire fee.
create table order_refund_line (
  refund_id uuid not null,
  order_id bigint not null,
  line_no smallint not null,
  units smallint not null,
  net_cents integer not null,
  tax_cents integer not null,
  fet_cents integer not null,
  tire_fee_cents integer not null,
  constraint order_refund_line_pkey PRIMARY KEY (refund_id, line_no),
  constraint order_refund_line_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint order_refund_line_net_cents_check CHECK ((net_cents >= 0)),
  constraint order_refund_line_tax_cents_check CHECK ((tax_cents >= 0)),
  constraint order_refund_line_tire_fee_cents_check CHECK ((tire_fee_cents >= 0)),
  constraint order_refund_line_units_check CHECK ((units > 0)),
  constraint order_refund_line_order_id_line_no_fkey FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no),
  constraint order_refund_line_refund_id_order_id_fkey FOREIGN KEY (refund_id, order_id) REFERENCES order_refund(id, order_id)
);
CREATE INDEX order_refund_line_by_line ON order_refund_line USING btree (order_id, line_no);
CREATE CONSTRAINT TRIGGER order_line_allocated_or_canceled AFTER INSERT OR UPDATE ON order_refund_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_line_allocated_or_canceled(); -- A canceled tire is not allocated any more.
CREATE CONSTRAINT TRIGGER order_refund_is_its_lines AFTER INSERT OR UPDATE ON order_refund_line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_refund_is_its_lines(); -- A refund comes to the sum of its lines when it is committed.
CREATE TRIGGER order_refunds_within_line BEFORE INSERT OR UPDATE ON order_refund_line FOR EACH ROW EXECUTE FUNCTION order_refunds_within_line(); -- No unit is refunded twice, and no more than was paid for it.

-- Unsent replies of staff, one per person and order.
create table order_reply_draft (
  staff text not null,
  order_id bigint not null,
  body text not null,
  saved_at timestamp with time zone not null,
  constraint order_reply_draft_pkey PRIMARY KEY (staff, order_id),
  constraint order_reply_draft_body_check CHECK (((length(body) >= 1) AND (length(body) <= 10000))),
  constraint order_reply_draft_staff_check CHECK (((length(staff) >= 1) AND (length(staff) <= 254))),
  constraint order_reply_draft_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_reply_draft_by_age ON order_reply_draft USING btree (saved_at);
CREATE INDEX order_reply_draft_by_order ON order_reply_draft USING btree (order_id);

-- Requests to return tires of an order, one row each; the state is that of their tires.
create table order_return (
  id bigint not null generated always as identity,
  order_id bigint not null,
  seq smallint not null,
  reason text not null,
  wants text not null,
  note text,
  was_said_to_fit boolean not null,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  ship_by_on date,
  exchange_cart_id uuid,
  reorder_id bigint,
  constraint order_return_pkey PRIMARY KEY (id),
  constraint return_numbered_once UNIQUE (order_id, seq),
  constraint order_return_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint order_return_reason_check CHECK ((reason = ANY (ARRAY['wrong-size'::text, 'changed-mind'::text, 'damaged'::text, 'wrong-item'::text, 'late'::text, 'short'::text]))),
  constraint order_return_requested_by_check CHECK ((requested_by = ANY (ARRAY['shopper'::text, 'program'::text, 'staff'::text]))),
  constraint order_return_seq_check CHECK (((seq >= 1) AND (seq <= 400))),
  constraint order_return_wants_check CHECK ((wants = ANY (ARRAY['refund'::text, 'exchange'::text]))),
  constraint return_reorder_is_another CHECK ((reorder_id <> order_id)),
  constraint return_short_ships_nothing CHECK (((reason = 'short'::text) = (ship_by_on IS NULL))),
  constraint order_return_exchange_cart_id_fkey FOREIGN KEY (exchange_cart_id) REFERENCES cart(id) ON UPDATE CASCADE,
  constraint order_return_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint order_return_reorder_id_fkey FOREIGN KEY (reorder_id) REFERENCES sales_order(id)
);
CREATE INDEX return_by_exchange ON order_return USING btree (exchange_cart_id) WHERE (exchange_cart_id IS NOT NULL);
CREATE INDEX return_by_reorder ON order_return USING btree (reorder_id) WHERE (reorder_id IS NOT NULL);

-- Where the tax of an order is from, and what the provider was told of it.
create table order_sales_tax (
  order_id bigint not null,
  source text not null,
  calculation_ref text,
  placed_at timestamp with time zone not null,
  replaced_at timestamp with time zone,
  transaction_ref text,
  line_refs jsonb,
  recorded_at timestamp with time zone,
  problem text,
  constraint order_sales_tax_pkey PRIMARY KEY (order_id),
  constraint order_sales_tax_transaction_ref_key UNIQUE (transaction_ref),
  constraint order_sales_tax_calculation_is_the_provider_s CHECK (((source = 'provider'::text) = (calculation_ref IS NOT NULL))),
  constraint order_sales_tax_calculation_ref_check CHECK (((char_length(calculation_ref) >= 1) AND (char_length(calculation_ref) <= 255))),
  constraint order_sales_tax_problem_check CHECK (((char_length(problem) >= 1) AND (char_length(problem) <= 500))),
  constraint order_sales_tax_recorded_whole CHECK ((((transaction_ref IS NULL) = (recorded_at IS NULL)) AND ((transaction_ref IS NULL) = (line_refs IS NULL)))),
  constraint order_sales_tax_recorded_with_calculation CHECK (((transaction_ref IS NULL) OR (calculation_ref IS NOT NULL))),
  constraint order_sales_tax_source_check CHECK ((source = ANY (ARRAY['provider'::text, 'last-answer'::text, 'table'::text]))),
  constraint order_sales_tax_transaction_ref_check CHECK (((char_length(transaction_ref) >= 1) AND (char_length(transaction_ref) <= 255))),
  constraint order_sales_tax_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_sales_tax_estimated ON order_sales_tax USING btree (order_id) WHERE ((source <> 'provider'::text) OR (replaced_at IS NOT NULL) OR (problem IS NOT NULL));

-- Tax that was given back, by refund; sent to the provider once the order is recorded there.
create table order_sales_tax_reversal (
  id uuid not null,
  order_id bigint not null,
  lines jsonb,
  made_at timestamp with time zone not null,
  ref text,
  sent_at timestamp with time zone,
  constraint order_sales_tax_reversal_pkey PRIMARY KEY (id),
  constraint order_sales_tax_reversal_ref_check CHECK (((char_length(ref) >= 1) AND (char_length(ref) <= 255))),
  constraint order_sales_tax_reversal_sent_whole CHECK (((ref IS NULL) = (sent_at IS NULL))),
  constraint order_sales_tax_reversal_order_id_fkey FOREIGN KEY (order_id) REFERENCES order_sales_tax(order_id) ON DELETE CASCADE
);
CREATE INDEX order_sales_tax_reversal_of_order ON order_sales_tax_reversal USING btree (order_id);

-- What the rules said of orders that they did not just let pass, and what staff decided.
create table order_screening (
  id uuid not null,
  cart_id uuid not null,
  order_id bigint,
  outcome text not null,
  reasons jsonb not null,
  email text not null,
  total_cents integer not null,
  at timestamp with time zone not null,
  due_at timestamp with time zone,
  decision text,
  decided_at timestamp with time zone,
  decided_by text,
  note text,
  constraint order_screening_pkey PRIMARY KEY (id),
  constraint order_screening_order_id_key UNIQUE (order_id),
  constraint order_screening_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint order_screening_decision_check CHECK ((decision = ANY (ARRAY['accepted'::text, 'canceled'::text]))),
  constraint order_screening_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint order_screening_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint order_screening_outcome_check CHECK ((outcome = ANY (ARRAY['confirm'::text, 'review'::text, 'refuse'::text]))),
  constraint order_screening_reasons_check CHECK (((jsonb_typeof(reasons) = 'array'::text) AND ((jsonb_array_length(reasons) >= 1) AND (jsonb_array_length(reasons) <= 100)))),
  constraint order_screening_total_cents_check CHECK ((total_cents >= 0)),
  constraint screening_decided_whole CHECK ((((decision IS NULL) = (decided_at IS NULL)) AND ((decision IS NULL) = (decided_by IS NULL)) AND ((decision IS NULL) OR (outcome = 'review'::text)))),
  constraint screening_refused_has_no_order CHECK (((outcome = 'refuse'::text) = (order_id IS NULL))),
  constraint screening_review_is_due CHECK (((outcome = 'review'::text) = (due_at IS NOT NULL))),
  constraint order_screening_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint order_screening_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_screening_by_cart ON order_screening USING btree (cart_id);
CREATE INDEX order_screening_by_time ON order_screening USING btree (outcome, at DESC, id DESC);
CREATE INDEX order_screening_open ON order_screening USING btree (due_at, id) WHERE ((outcome = 'review'::text) AND (decision IS NULL));
CREATE UNIQUE INDEX order_screening_refused_once ON order_screening USING btree (cart_id) WHERE (outcome = 'refuse'::text);

-- The vehicle identification number of the car that an order is for, as staff or the shop read it off the car.
create table order_vin (
  order_id bigint not null,
  vin text not null, -- Whole, or its last eight characters.
  set_by text not null,
  set_at timestamp with time zone not null,
  constraint order_vin_pkey PRIMARY KEY (order_id),
  constraint order_vin_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 254))),
  constraint order_vin_vin_check CHECK ((vin ~ '^([A-HJ-NPR-Z0-9]{9})?[A-HJ-NPR-Z0-9]{8}$'::text)),
  constraint order_vin_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX order_vin_by_reverse ON order_vin USING btree (reverse(vin) text_pattern_ops);

-- Brands that are not sold, so that a search for one can say so.
create table other_brand (
  slug text not null,
  name text not null,
  tier text not null,
  constraint other_brand_pkey PRIMARY KEY (slug),
  constraint other_brand_tier_check CHECK ((tier = ANY (ARRAY['premium'::text, 'mid'::text, 'value'::text, 'commercial'::text, 'trailer'::text, 'off-road'::text])))
);

-- Jobs and closed times of a shop that did not come through the store.
create table own_job (
  id uuid not null,
  shop_id integer not null,
  bay_id integer not null,
  during tstzrange not null,
  kind text not null,
  state text not null default 'planned'::text,
  first_name text,
  phone text,
  vehicle text,
  tires text,
  note text,
  revision integer not null default 1,
  made_by uuid not null,
  made_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  alignment_minutes smallint, -- How much of its time is for a wheel alignment; null for a job without one.
  constraint own_job_pkey PRIMARY KEY (id),
  constraint own_job_bay_taken_once EXCLUDE USING gist (bay_id WITH =, during WITH &&) WHERE ((state = 'planned'::text)),
  constraint own_job_alignment_minutes_check CHECK (((alignment_minutes >= 15) AND (alignment_minutes <= 180))),
  constraint own_job_check CHECK (((kind <> 'block'::text) OR ((first_name IS NULL) AND (phone IS NULL)))),
  constraint own_job_during_check CHECK (((NOT isempty(during)) AND lower_inc(during) AND (NOT upper_inc(during)) AND ((upper(during) - lower(during)) <= '24:00:00'::interval))),
  constraint own_job_first_name_check CHECK (((length(first_name) >= 1) AND (length(first_name) <= 40))),
  constraint own_job_kind_check CHECK ((kind = ANY (ARRAY['phone'::text, 'walk-in'::text, 'block'::text]))),
  constraint own_job_longer_than_alignment CHECK (((alignment_minutes IS NULL) OR ((kind <> 'block'::text) AND ((upper(during) - lower(during)) > ((alignment_minutes)::double precision * '00:01:00'::interval))))),
  constraint own_job_note_check CHECK (((length(note) >= 1) AND (length(note) <= 300))),
  constraint own_job_phone_check CHECK (((length(phone) >= 1) AND (length(phone) <= 20))),
  constraint own_job_revision_check CHECK ((revision >= 1)),
  constraint own_job_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'done'::text, 'canceled'::text]))),
  constraint own_job_tires_check CHECK (((length(tires) >= 1) AND (length(tires) <= 80))),
  constraint own_job_vehicle_check CHECK (((length(vehicle) >= 1) AND (length(vehicle) <= 80))),
  constraint own_job_made_by_fkey FOREIGN KEY (made_by) REFERENCES shop_member(id) ON DELETE CASCADE,
  constraint own_job_shop_id_bay_id_fkey FOREIGN KEY (shop_id, bay_id) REFERENCES shop_bay(shop_id, id),
  constraint own_job_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX own_job_by_member ON own_job USING btree (made_by);
CREATE INDEX own_job_of_shop ON own_job USING gist (shop_id, during);
CREATE INDEX own_job_with_person ON own_job USING btree (upper(during)) WHERE ((first_name IS NOT NULL) OR (phone IS NOT NULL));
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON own_job REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON own_job REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON own_job REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER own_job_locks_bay BEFORE INSERT OR UPDATE OF bay_id, during, state ON own_job FOR EACH ROW WHEN ((new.state = 'planned'::text)) EXECUTE FUNCTION lock_bay_of_own_job();
CREATE CONSTRAINT TRIGGER own_job_overlap_has_reason AFTER INSERT OR UPDATE ON own_job DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_overlap_reasons();

-- Forms of own jobs that were acted on, by the key each was made with: one that arrives again changes nothing.
create table own_job_form (
  shop_id integer not null,
  key uuid not null,
  own_job_id uuid not null,
  at timestamp with time zone not null,
  constraint own_job_form_pkey PRIMARY KEY (shop_id, key),
  constraint own_job_form_own_job_id_fkey FOREIGN KEY (own_job_id) REFERENCES own_job(id) ON DELETE CASCADE,
  constraint own_job_form_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX own_job_form_by_job ON own_job_form USING btree (own_job_id);
CREATE INDEX own_job_form_by_time ON own_job_form USING btree (at);

-- Online bookings that a shop knowingly put a job of its own over, and why.
create table own_job_overlap (
  own_job_id uuid not null,
  booking_id uuid not null,
  reason text not null,
  chosen_by uuid not null,
  chosen_at timestamp with time zone not null,
  constraint own_job_overlap_pkey PRIMARY KEY (own_job_id, booking_id),
  constraint own_job_overlap_reason_check CHECK ((reason = ANY (ARRAY['second-technician'::text, 'quick-job'::text, 'customer-agreed'::text]))),
  constraint own_job_overlap_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint own_job_overlap_chosen_by_fkey FOREIGN KEY (chosen_by) REFERENCES shop_member(id) ON DELETE CASCADE,
  constraint own_job_overlap_own_job_id_fkey FOREIGN KEY (own_job_id) REFERENCES own_job(id) ON DELETE CASCADE
);
CREATE INDEX own_job_overlap_by_booking ON own_job_overlap USING btree (booking_id);
CREATE INDEX own_job_overlap_by_member ON own_job_overlap USING btree (chosen_by);

-- Links that a store without staff prints when it starts, each for one first owner.
create table owner_link (
  secret_hash bytea not null, -- A SHA-256 of the secret in the link, which is stored nowhere.
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint owner_link_pkey PRIMARY KEY (secret_hash),
  constraint owner_link_expires_later CHECK ((expires_at > created_at)),
  constraint owner_link_secret_hash_check CHECK ((length(secret_hash) = 32)),
  constraint owner_link_used_in_time CHECK ((used_at < expires_at))
);

-- Goods other than tires, which are sold with tires.
create table part (
  id integer not null generated always as identity,
  kind text not null,
  sku text not null,
  brand text not null,
  name text not null,
  facts jsonb not null, -- The fields of its kind.
  price_cents integer not null,
  cost_cents integer,
  on_sale boolean not null,
  version integer not null default 1, -- Counts changes, so that a form based on an older one is rejected.
  changed_at timestamp with time zone not null,
  constraint part_pkey PRIMARY KEY (id),
  constraint part_sku_key UNIQUE (sku),
  constraint part_brand_check CHECK (((length(brand) >= 1) AND (length(brand) <= 60))),
  constraint part_cost_cents_check CHECK (((cost_cents >= 1) AND (cost_cents <= 10000000))),
  constraint part_facts_check CHECK (((jsonb_typeof(facts) = 'object'::text) AND (length((facts)::text) <= 2000))),
  constraint part_kind_check CHECK (((kind ~ '^[a-z]+(-[a-z]+)*$'::text) AND (length(kind) <= 40))),
  constraint part_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint part_price_cents_check CHECK (((price_cents >= 1) AND (price_cents <= 10000000))),
  constraint part_sku_check CHECK ((sku ~ '^[A-Z0-9][A-Z0-9-]{1,39}$'::text)),
  constraint part_version_check CHECK ((version > 0))
);

-- Available units of each part in the store’s warehouses.
create table part_stock (
  part_id integer not null,
  warehouse_id smallint not null,
  on_hand integer not null,
  constraint part_stock_pkey PRIMARY KEY (part_id, warehouse_id),
  constraint part_stock_never_negative CHECK ((on_hand >= 0)),
  constraint part_stock_part_id_fkey FOREIGN KEY (part_id) REFERENCES part(id) ON DELETE CASCADE,
  constraint part_stock_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX part_stock_by_warehouse ON part_stock USING btree (warehouse_id);

-- Businesses and clubs whose people buy at the partner price by a code.
create table partner (
  id integer not null generated always as identity,
  name text not null,
  code text, -- What its people type in; null for an affiliate.
  since timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint partner_pkey PRIMARY KEY (id),
  constraint partner_code_key UNIQUE (code),
  constraint partner_check CHECK ((ended_at > since)),
  constraint partner_code_check CHECK ((code ~ '^[A-Z2-9]{8}$'::text)),
  constraint partner_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);

-- Businesses that ask to become one.
create table partner_application (
  id integer not null generated always as identity,
  business text not null,
  name text not null,
  email text not null,
  phone text not null,
  people integer not null, -- About how many: a partner's people, an affiliate's readers in a month.
  message text not null,
  state text not null default 'received'::text,
  received_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  partner_id integer,
  network_key text,
  site text, -- The origin of the partner's page, from those who ask for the widget.
  kind text not null, -- A partner's people buy at the partner price by its code; an affiliate sends readers, and has no code.
  channel text, -- The address of an affiliate's site or channel.
  constraint partner_application_pkey PRIMARY KEY (id),
  constraint partner_application_partner_id_key UNIQUE (partner_id),
  constraint partner_application_affiliate_site CHECK (((kind <> 'affiliate'::text) OR (site IS NOT NULL))),
  constraint partner_application_business_check CHECK (((length(business) >= 1) AND (length(business) <= 100))),
  constraint partner_application_channel CHECK (((kind = 'affiliate'::text) = (channel IS NOT NULL))),
  constraint partner_application_channel_check CHECK ((((length(channel) >= 8) AND (length(channel) <= 300)) AND (channel ~ '^https://[^\s<>"]+$'::text))),
  constraint partner_application_check CHECK ((((state = 'received'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint partner_application_check1 CHECK (((state = 'approved'::text) = (partner_id IS NOT NULL))),
  constraint partner_application_check2 CHECK (((state = 'received'::text) OR (network_key IS NULL))),
  constraint partner_application_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint partner_application_kind_check CHECK ((kind = ANY (ARRAY['partner'::text, 'affiliate'::text]))),
  constraint partner_application_message_check CHECK ((length(message) <= 2000)),
  constraint partner_application_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint partner_application_people_check CHECK (((people >= 1) AND (people <= 1000000))),
  constraint partner_application_phone_check CHECK ((length(phone) <= 40)),
  constraint partner_application_site_check CHECK (((length(site) <= 200) AND (site ~ '^https?://[a-z0-9.-]+(:[0-9]{1,5})?$'::text))),
  constraint partner_application_state_check CHECK ((state = ANY (ARRAY['received'::text, 'approved'::text, 'refused'::text]))),
  constraint partner_application_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX partner_application_by_network ON partner_application USING btree (network_key, received_at) WHERE (network_key IS NOT NULL);
CREATE UNIQUE INDEX partner_application_once ON partner_application USING btree (lower(email), lower(business), kind) WHERE (state = 'received'::text);

-- Commission booked for an order, once, and what was taken back of it since. Only added to.
create table partner_commission (
  id bigint not null generated always as identity,
  order_id bigint not null,
  kind text not null,
  cents integer not null,
  booked_at timestamp with time zone not null,
  constraint partner_commission_pkey PRIMARY KEY (id),
  constraint partner_commission_check CHECK (
CASE kind
    WHEN 'booked'::text THEN (cents >= 0)
    ELSE (cents < 0)
END),
  constraint partner_commission_kind_check CHECK ((kind = ANY (ARRAY['booked'::text, 'reversed'::text]))),
  constraint partner_commission_order_id_fkey FOREIGN KEY (order_id) REFERENCES order_attribution(order_id)
);
CREATE UNIQUE INDEX partner_commission_booked_once ON partner_commission USING btree (order_id) WHERE (kind = 'booked'::text);
CREATE INDEX partner_commission_by_order ON partner_commission USING btree (order_id);
CREATE TRIGGER commission_within_booked BEFORE INSERT ON partner_commission FOR EACH ROW EXECUTE FUNCTION commission_within_booked();
CREATE TRIGGER partner_commission_append_only BEFORE DELETE OR UPDATE ON partner_commission FOR EACH ROW EXECUTE FUNCTION commission_is_only_added_to();

-- The widget of a partner: its public key, the pages it may be on, and the share of each order.
create table partner_widget (
  id text not null,
  partner_id integer not null,
  owner_email text not null,
  origins text not null,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  owner_account_id uuid,
  constraint partner_widget_pkey PRIMARY KEY (id),
  constraint partner_widget_partner_id_key UNIQUE (partner_id),
  constraint partner_widget_check CHECK ((closed_at >= created_at)),
  constraint partner_widget_id_check CHECK ((id ~ '^wk_[A-Za-z0-9]{20}$'::text)),
  constraint partner_widget_origins_check CHECK (((length(origins) <= 2000) AND (origins ~ '^https?://[a-z0-9.-]+(:[0-9]{1,5})?(\n|https?://[a-z0-9.:-]+)*$'::text))),
  constraint partner_widget_owner_email_check CHECK (((length(owner_email) >= 3) AND (length(owner_email) <= 254))),
  constraint partner_widget_owner_account_id_fkey FOREIGN KEY (owner_account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint partner_widget_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX partner_widget_by_owner_account ON partner_widget USING btree (owner_account_id);

-- Orders that another store program took. No order of this store, so that nothing is charged, shipped or returned.
create table past_order (
  id integer not null generated always as identity,
  store text not null, -- The store that took the order, such as Shopify; numbers are unique in it.
  number text not null,
  placed_at timestamp with time zone not null,
  email text,
  phone text,
  customer_name text,
  total_cents integer not null,
  status text not null, -- Its statuses as exported, such as "paid, fulfilled"; empty without any.
  imported_at timestamp with time zone not null,
  constraint past_order_pkey PRIMARY KEY (id),
  constraint past_order_customer_name_check CHECK (((length(customer_name) >= 1) AND (length(customer_name) <= 100))),
  constraint past_order_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint past_order_number_check CHECK (((length(number) >= 1) AND (length(number) <= 40))),
  constraint past_order_phone_check CHECK (((length(phone) >= 1) AND (length(phone) <= 20))),
  constraint past_order_status_check CHECK ((length(status) <= 200)),
  constraint past_order_store_check CHECK (((length(store) >= 1) AND (length(store) <= 40))),
  constraint past_order_total_cents_check CHECK ((total_cents >= 0))
);
CREATE INDEX past_order_by_email ON past_order USING btree (email text_pattern_ops, placed_at DESC);
CREATE INDEX past_order_by_number ON past_order USING btree (lower(number) text_pattern_ops);
CREATE INDEX past_order_by_phone ON past_order USING btree ("right"(phone, 4));
CREATE UNIQUE INDEX past_order_once ON past_order USING btree (lower(store), lower(number));

-- Items of past orders, in the order of the file.
create table past_order_line (
  order_id integer not null,
  line_no integer not null,
  sku text,
  name text not null,
  quantity integer not null,
  price_cents integer not null, -- Price of one.
  constraint past_order_line_pkey PRIMARY KEY (order_id, line_no),
  constraint past_order_line_line_no_check CHECK (((line_no >= 1) AND (line_no <= 500))),
  constraint past_order_line_name_check CHECK (((length(name) >= 1) AND (length(name) <= 500))),
  constraint past_order_line_price_cents_check CHECK ((price_cents >= 0)),
  constraint past_order_line_quantity_check CHECK ((quantity >= 0)),
  constraint past_order_line_sku_check CHECK (((length(sku) >= 1) AND (length(sku) <= 100))),
  constraint past_order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES past_order(id) ON DELETE CASCADE
);

-- Corrections of a shop's pay by the office; above the limit of one person a proposal until a second one approves it.
create table pay_adjustment (
  id uuid not null,
  shop_id integer not null,
  job_pay_id uuid,
  kind text not null,
  amount_cents integer not null,
  reason text not null,
  is_over_limit boolean not null,
  state text not null,
  submission_key uuid not null,
  made_at timestamp with time zone not null,
  made_by text not null,
  decided_at timestamp with time zone,
  decided_by text,
  on_day date,
  dispute_until timestamp with time zone,
  constraint pay_adjustment_pkey PRIMARY KEY (id),
  constraint pay_adjustment_of_shop UNIQUE (shop_id, id),
  constraint pay_adjustment_submission_key_key UNIQUE (submission_key),
  constraint pay_adjustment_amount_cents_check CHECK (((amount_cents <> 0) AND ((amount_cents >= '-10000000'::integer) AND (amount_cents <= 10000000)))),
  constraint pay_adjustment_check CHECK (((kind = 'adjustment'::text) OR (amount_cents < 0))),
  constraint pay_adjustment_check1 CHECK ((((state = 'proposed'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint pay_adjustment_check2 CHECK ((((state = 'approved'::text) = (on_day IS NOT NULL)) AND ((on_day IS NULL) = (dispute_until IS NULL)))),
  constraint pay_adjustment_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 254))),
  constraint pay_adjustment_kind_check CHECK ((kind = ANY (ARRAY['adjustment'::text, 'chargeback'::text]))),
  constraint pay_adjustment_made_by_check CHECK (((length(made_by) >= 1) AND (length(made_by) <= 254))),
  constraint pay_adjustment_reason_check CHECK (((length(reason) >= 3) AND (length(reason) <= 500))),
  constraint pay_adjustment_second_person CHECK (((NOT is_over_limit) OR (state <> 'approved'::text) OR (decided_by <> made_by))),
  constraint pay_adjustment_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'approved'::text, 'declined'::text]))),
  constraint pay_adjustment_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint pay_adjustment_shop_id_job_pay_id_fkey FOREIGN KEY (shop_id, job_pay_id) REFERENCES job_pay(shop_id, id)
);
CREATE INDEX pay_adjustment_by_day ON pay_adjustment USING btree (shop_id, on_day);
CREATE INDEX pay_adjustment_of_job ON pay_adjustment USING btree (job_pay_id) WHERE (job_pay_id IS NOT NULL);
CREATE INDEX pay_adjustment_to_decide ON pay_adjustment USING btree (shop_id) WHERE (state = 'proposed'::text);
CREATE TRIGGER pay_adjustment_decided_once BEFORE DELETE OR UPDATE ON pay_adjustment FOR EACH ROW EXECUTE FUNCTION pay_adjustment_is_decided_once();

-- What a shop objects to, once for each job and adjustment, and what the office answered.
create table pay_dispute (
  id uuid not null,
  shop_id integer not null,
  job_pay_id uuid,
  adjustment_id uuid,
  words text not null,
  opened_at timestamp with time zone not null,
  opened_by uuid not null,
  state text not null,
  answer text,
  answered_at timestamp with time zone,
  answered_by text,
  file_key uuid, -- The shop’s photo; null without one, and after its retention period.
  constraint pay_dispute_pkey PRIMARY KEY (id),
  constraint pay_dispute_file UNIQUE (file_key),
  constraint pay_dispute_answer_check CHECK (((length(answer) >= 3) AND (length(answer) <= 2000))),
  constraint pay_dispute_answered_by_check CHECK (((length(answered_by) >= 1) AND (length(answered_by) <= 254))),
  constraint pay_dispute_answered_whole CHECK ((num_nonnulls(answer, answered_at, answered_by) =
CASE
    WHEN (state = 'open'::text) THEN 0
    ELSE 3
END)),
  constraint pay_dispute_check CHECK ((num_nonnulls(job_pay_id, adjustment_id) = 1)),
  constraint pay_dispute_state_check CHECK ((state = ANY (ARRAY['open'::text, 'granted'::text, 'declined'::text]))),
  constraint pay_dispute_words_check CHECK (((length(words) >= 10) AND (length(words) <= 2000))),
  constraint pay_dispute_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint pay_dispute_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES shop_member(id),
  constraint pay_dispute_shop_id_adjustment_id_fkey FOREIGN KEY (shop_id, adjustment_id) REFERENCES pay_adjustment(shop_id, id),
  constraint pay_dispute_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint pay_dispute_shop_id_job_pay_id_fkey FOREIGN KEY (shop_id, job_pay_id) REFERENCES job_pay(shop_id, id)
);
CREATE INDEX pay_dispute_of_shop ON pay_dispute USING btree (shop_id, opened_at);
CREATE UNIQUE INDEX pay_dispute_once_per_adjustment ON pay_dispute USING btree (adjustment_id) WHERE (adjustment_id IS NOT NULL);
CREATE UNIQUE INDEX pay_dispute_once_per_job ON pay_dispute USING btree (job_pay_id) WHERE (job_pay_id IS NOT NULL);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON pay_dispute FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Percent off the whole order for those who pay with a lender, as staff schedule it.
create table pay_later_offer (
  id integer not null generated always as identity,
  form_key uuid not null,
  method text not null,
  percent smallint not null,
  funded_by text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint pay_later_offer_pkey PRIMARY KEY (id),
  constraint pay_later_offer_form_key_key UNIQUE (form_key),
  constraint pay_later_once_at_a_time EXCLUDE USING gist (method WITH =, tstzrange(starts_at, ends_at) WITH &&),
  constraint pay_later_offer_check CHECK ((ends_at >= starts_at)),
  constraint pay_later_offer_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint pay_later_offer_funded_by_check CHECK ((funded_by = ANY (ARRAY['store'::text, 'lender'::text]))),
  constraint pay_later_offer_method_check CHECK ((method = ANY (ARRAY['klarna'::text, 'affirm'::text, 'afterpay'::text, 'lease'::text, 'loan'::text]))),
  constraint pay_later_offer_percent_check CHECK (((percent >= 1) AND (percent <= 50)))
);
CREATE INDEX pay_later_offer_by_end ON pay_later_offer USING btree (ends_at, id);
CREATE TRIGGER pay_later_offer_never_edited AFTER UPDATE ON pay_later_offer FOR EACH ROW EXECUTE FUNCTION pay_later_offer_only_ends_earlier();

-- The pay matrix: what a shop is paid for a tire, by kind of job, rim and state, from a day until before another.
create table pay_rate (
  id uuid not null,
  job text not null,
  state_code text,
  rim_from_in numeric(4,1) not null,
  rim_to_in numeric(4,1) not null,
  cents integer not null,
  valid daterange not null,
  made_at timestamp with time zone not null,
  made_by text not null,
  constraint pay_rate_pkey PRIMARY KEY (id),
  constraint pay_rate_once EXCLUDE USING gist (job WITH =, COALESCE(state_code, ''::text) WITH =, numrange(rim_from_in, rim_to_in, '[]'::text) WITH &&, valid WITH &&),
  constraint pay_rate_check CHECK ((rim_from_in <= rim_to_in)),
  constraint pay_rate_job_check CHECK ((job = ANY (ARRAY['standard'::text, 'low-profile'::text, 'run-flat'::text, 'light-truck'::text]))),
  constraint pay_rate_made_by_check CHECK (((length(made_by) >= 1) AND (length(made_by) <= 254))),
  constraint pay_rate_rim_from_in_check CHECK ((rim_from_in >= (8)::numeric)),
  constraint pay_rate_rim_to_in_check CHECK ((rim_to_in <= (40)::numeric)),
  constraint pay_rate_state_code_check CHECK ((state_code ~ '^[A-Z]{2}$'::text)),
  constraint pay_rate_valid_check CHECK (((NOT isempty(valid)) AND (NOT lower_inf(valid)))),
  constraint pay_rate_within_bounds CHECK (((cents >= 1500) AND (cents <= 2400)))
);
CREATE TRIGGER pay_rate_only_ends BEFORE DELETE OR UPDATE ON pay_rate FOR EACH ROW EXECUTE FUNCTION pay_rate_keeps_its_past(); -- What a job was paid by stays known.

-- Money of a transfer that came back; it is owed to the shop again. Only added to.
create table pay_reversal (
  id uuid not null,
  shop_id integer not null,
  transfer_id uuid not null,
  amount_cents integer not null,
  total_cents integer not null,
  at timestamp with time zone not null,
  constraint pay_reversal_pkey PRIMARY KEY (id),
  constraint pay_reversal_of_shop UNIQUE (shop_id, id),
  constraint pay_reversal_once UNIQUE (transfer_id, total_cents),
  constraint pay_reversal_amount_cents_check CHECK ((amount_cents > 0)),
  constraint pay_reversal_check CHECK ((total_cents >= amount_cents)),
  constraint pay_reversal_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint pay_reversal_shop_id_transfer_id_fkey FOREIGN KEY (shop_id, transfer_id) REFERENCES pay_transfer(shop_id, id)
);
CREATE TRIGGER pay_reversal_append_only BEFORE DELETE OR UPDATE ON pay_reversal FOR EACH ROW EXECUTE FUNCTION pay_is_only_added_to();

-- Money on its way to a shop: intended before the provider is asked, under its id as the idempotency key.
create table pay_transfer (
  id uuid not null,
  shop_id integer not null,
  account_ref text not null,
  amount_cents integer not null,
  state text not null,
  ref text,
  intended_at timestamp with time zone not null,
  asked_at timestamp with time zone,
  sent_at timestamp with time zone,
  refusal text,
  constraint pay_transfer_pkey PRIMARY KEY (id),
  constraint pay_transfer_of_shop UNIQUE (shop_id, id),
  constraint pay_transfer_ref_key UNIQUE (ref),
  constraint pay_transfer_amount_cents_check CHECK ((amount_cents > 0)),
  constraint pay_transfer_check CHECK ((((state = 'sent'::text) = (ref IS NOT NULL)) AND ((ref IS NULL) = (sent_at IS NULL)))),
  constraint pay_transfer_check1 CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
  constraint pay_transfer_ref_check CHECK (((length(ref) >= 1) AND (length(ref) <= 255))),
  constraint pay_transfer_state_check CHECK ((state = ANY (ARRAY['intended'::text, 'sent'::text, 'refused'::text]))),
  constraint pay_transfer_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX pay_transfer_by_time ON pay_transfer USING btree (shop_id, intended_at);
CREATE UNIQUE INDEX pay_transfer_one_at_a_time ON pay_transfer USING btree (shop_id) WHERE (state = 'intended'::text);
CREATE INDEX pay_transfer_refused ON pay_transfer USING btree (intended_at, shop_id) WHERE (state = 'refused'::text);
CREATE CONSTRAINT TRIGGER pay_transfer_is_its_items AFTER INSERT OR UPDATE ON pay_transfer DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pay_transfer_adds_up();

-- What a transfer pays: each job, adjustment and reversal in at most one.
create table pay_transfer_item (
  transfer_id uuid not null,
  shop_id integer not null,
  job_pay_id uuid,
  adjustment_id uuid,
  reversal_id uuid,
  amount_cents integer not null,
  constraint pay_transfer_item_check CHECK ((num_nonnulls(job_pay_id, adjustment_id, reversal_id) = 1)),
  constraint pay_transfer_item_shop_id_adjustment_id_fkey FOREIGN KEY (shop_id, adjustment_id) REFERENCES pay_adjustment(shop_id, id),
  constraint pay_transfer_item_shop_id_job_pay_id_fkey FOREIGN KEY (shop_id, job_pay_id) REFERENCES job_pay(shop_id, id),
  constraint pay_transfer_item_shop_id_reversal_id_fkey FOREIGN KEY (shop_id, reversal_id) REFERENCES pay_reversal(shop_id, id),
  constraint pay_transfer_item_shop_id_transfer_id_fkey FOREIGN KEY (shop_id, transfer_id) REFERENCES pay_transfer(shop_id, id)
);
CREATE UNIQUE INDEX pay_transfer_item_adjustment_once ON pay_transfer_item USING btree (adjustment_id) WHERE (adjustment_id IS NOT NULL);
CREATE UNIQUE INDEX pay_transfer_item_job_once ON pay_transfer_item USING btree (job_pay_id) WHERE (job_pay_id IS NOT NULL);
CREATE INDEX pay_transfer_item_of_transfer ON pay_transfer_item USING btree (transfer_id);
CREATE UNIQUE INDEX pay_transfer_item_reversal_once ON pay_transfer_item USING btree (reversal_id) WHERE (reversal_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER pay_transfer_items_are_it AFTER INSERT OR DELETE OR UPDATE ON pay_transfer_item DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pay_transfer_adds_up();

-- Charges: of a cart until an order or a membership's term has claimed them.
create table payment (
  id uuid not null,
  cart_id uuid,
  order_id bigint,
  provider text not null,
  provider_ref text,
  flow text not null,
  hosted_ref text,
  amount_cents integer not null,
  captured_cents integer not null default 0,
  refunded_cents integer not null default 0,
  state text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  submitted_at timestamp with time zone,
  card_fingerprint text,
  membership_term_id uuid,
  claimed_at timestamp with time zone,
  network_key text,
  order_change_id uuid, -- The change whose difference it pays; order_id is set when the change is made.
  method text not null default 'card'::text,
  capture_before timestamp with time zone,
  processing_since timestamp with time zone,
  unanswered_at timestamp with time zone,
  saves_card boolean not null default false,
  lapsed_at timestamp with time zone,
  card_brand text,
  card_last4 text,
  card_exp_month smallint,
  card_exp_year smallint,
  card_street_check text,
  card_zip_check text,
  card_code_check text,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_hosted_ref_key UNIQUE (hosted_ref),
  constraint payment_provider_ref_key UNIQUE (provider_ref),
  constraint payment_amount_cents_check CHECK ((amount_cents > 0)),
  constraint payment_captured_cents_check CHECK ((captured_cents >= 0)),
  constraint payment_card_brand_check CHECK ((card_brand ~ '^[a-z_]{2,30}$'::text)),
  constraint payment_card_code_check_check CHECK ((card_code_check = ANY (ARRAY['pass'::text, 'fail'::text, 'unavailable'::text, 'unchecked'::text]))),
  constraint payment_card_exp_month_check CHECK (((card_exp_month >= 1) AND (card_exp_month <= 12))),
  constraint payment_card_exp_year_check CHECK (((card_exp_year >= 2000) AND (card_exp_year <= 2199))),
  constraint payment_card_expiry_whole CHECK (((card_exp_month IS NULL) = (card_exp_year IS NULL))),
  constraint payment_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint payment_card_street_check_check CHECK ((card_street_check = ANY (ARRAY['pass'::text, 'fail'::text, 'unavailable'::text, 'unchecked'::text]))),
  constraint payment_card_whole CHECK (((card_brand IS NULL) = (card_last4 IS NULL))),
  constraint payment_card_zip_check_check CHECK ((card_zip_check = ANY (ARRAY['pass'::text, 'fail'::text, 'unavailable'::text, 'unchecked'::text]))),
  constraint payment_check CHECK ((captured_cents <= amount_cents)),
  constraint payment_checks_of_card CHECK (((card_last4 IS NOT NULL) OR (num_nonnulls(card_exp_month, card_street_check, card_zip_check, card_code_check) = 0))),
  constraint payment_claimed_by_term CHECK (((claimed_at IS NULL) OR (membership_term_id IS NOT NULL))),
  constraint payment_flow_check CHECK ((flow = ANY (ARRAY['fields'::text, 'hosted'::text, 'saved'::text]))),
  constraint payment_method_known CHECK ((method = ANY (ARRAY['card'::text, 'apple-pay'::text, 'google-pay'::text, 'paypal'::text, 'venmo'::text, 'klarna'::text, 'affirm'::text, 'afterpay'::text, 'lease'::text, 'loan'::text, 'store-card'::text, 'resolve'::text]))),
  constraint payment_network_key_check CHECK ((length(network_key) <= 64)),
  constraint payment_of_one_thing CHECK ((num_nonnulls(cart_id, membership_term_id, order_change_id) = 1)),
  constraint payment_provider_known CHECK ((provider = ANY (ARRAY['stripe'::text, 'paypal'::text, 'lender'::text, 'resolve'::text]))),
  constraint payment_refunded_cents_check CHECK ((refunded_cents >= 0)),
  constraint payment_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text]))),
  constraint refunds_within_captured CHECK ((refunded_cents <= captured_cents)), -- No more is given back than was taken.
  constraint payment_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE,
  constraint payment_membership_term_id_fkey FOREIGN KEY (membership_term_id) REFERENCES membership_term(id),
  constraint payment_order_change_id_fkey FOREIGN KEY (order_change_id) REFERENCES order_change(id),
  constraint payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX payment_by_card ON payment USING btree (card_fingerprint, created_at) WHERE (card_fingerprint IS NOT NULL);
CREATE INDEX payment_by_cart ON payment USING btree (cart_id);
CREATE INDEX payment_by_change ON payment USING btree (order_change_id) WHERE (order_change_id IS NOT NULL);
CREATE INDEX payment_by_network ON payment USING btree (network_key, created_at) WHERE (network_key IS NOT NULL);
CREATE INDEX payment_by_order ON payment USING btree (order_id, created_at DESC) WHERE (order_id IS NOT NULL);
CREATE INDEX payment_by_term ON payment USING btree (membership_term_id) WHERE (membership_term_id IS NOT NULL);
CREATE INDEX payment_expiring ON payment USING btree (capture_before) WHERE (state = 'authorized'::text);
CREATE INDEX payment_lapsed ON payment USING btree (lapsed_at) WHERE (lapsed_at IS NOT NULL);
CREATE UNIQUE INDEX payment_one_per_change ON payment USING btree (order_change_id) WHERE ((order_id IS NOT NULL) AND (state = ANY (ARRAY['authorized'::text, 'captured'::text])));
CREATE UNIQUE INDEX payment_one_per_order ON payment USING btree (order_id) WHERE ((state = ANY (ARRAY['authorized'::text, 'captured'::text])) AND (order_change_id IS NULL));
CREATE UNIQUE INDEX payment_one_per_term ON payment USING btree (membership_term_id) WHERE ((claimed_at IS NOT NULL) AND (state = ANY (ARRAY['authorized'::text, 'captured'::text])));
CREATE INDEX payment_processing ON payment USING btree (processing_since) WHERE (processing_since IS NOT NULL);
CREATE INDEX payment_submission_cut_off ON payment USING btree (submitted_at) WHERE ((order_id IS NULL) AND (submitted_at IS NOT NULL));
CREATE INDEX payment_unanswered ON payment USING btree (unanswered_at) WHERE (unanswered_at IS NOT NULL);
CREATE INDEX payment_uncaptured ON payment USING btree (order_id) WHERE ((state = 'authorized'::text) AND (order_id IS NOT NULL));
CREATE INDEX payment_unplaced ON payment USING btree (updated_at) WHERE ((order_id IS NULL) AND (state = ANY (ARRAY['pending'::text, 'authorized'::text])));

-- An account's customer at the payment provider: one per account.
create table payment_customer (
  account_id uuid not null,
  provider_ref text not null,
  created_at timestamp with time zone not null,
  constraint payment_customer_pkey PRIMARY KEY (account_id),
  constraint payment_customer_provider_ref_key UNIQUE (provider_ref),
  constraint payment_customer_provider_ref_check CHECK (((length(provider_ref) >= 1) AND (length(provider_ref) <= 255))),
  constraint payment_customer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

-- Every change of a charge, with who and when.
create table payment_event (
  id bigint not null generated always as identity,
  payment_id uuid not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint payment_event_pkey PRIMARY KEY (id),
  constraint payment_event_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id) ON DELETE CASCADE
);
CREATE INDEX payment_event_by_payment ON payment_event USING btree (payment_id);
CREATE INDEX payment_event_by_time ON payment_event USING brin (at) WITH (pages_per_range='16');
CREATE INDEX payment_event_captured ON payment_event USING btree (at) WHERE ((to_state = 'captured'::text) AND (from_state <> 'captured'::text));

-- Hourly comparisons of what a browser receives on payment pages with what is approved.
create table payment_page_check (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  pages integer not null,
  scripts integer not null,
  findings integer not null,
  skipped text, -- Why this check could not open the card page; null if it did.
  constraint payment_page_check_pkey PRIMARY KEY (id),
  constraint payment_page_check_findings_check CHECK ((findings >= 0)),
  constraint payment_page_check_pages_check CHECK ((pages >= 0)),
  constraint payment_page_check_scripts_check CHECK ((scripts >= 0)),
  constraint payment_page_check_skipped_check CHECK (((length(skipped) >= 1) AND (length(skipped) <= 300)))
);
CREATE INDEX payment_page_check_by_time ON payment_page_check USING btree (at);

-- Differences from what is approved, open until a check no longer finds them.
create table payment_page_finding (
  id bigint not null generated always as identity,
  kind text not null,
  page text not null,
  subject text not null,
  detail text not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint payment_page_finding_pkey PRIMARY KEY (id),
  constraint payment_page_finding_check CHECK ((resolved_at >= first_at)),
  constraint payment_page_finding_detail_check CHECK (((length(detail) >= 1) AND (length(detail) <= 500))),
  constraint payment_page_finding_in_order CHECK ((last_at >= first_at)),
  constraint payment_page_finding_kind_check CHECK ((kind = ANY (ARRAY['script'::text, 'content'::text, 'header'::text, 'unreachable'::text]))),
  constraint payment_page_finding_page_check CHECK (((length(page) >= 1) AND (length(page) <= 200))),
  constraint payment_page_finding_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 300)))
);
CREATE INDEX payment_page_finding_by_time ON payment_page_finding USING btree (first_at DESC, id DESC);
CREATE UNIQUE INDEX payment_page_finding_open ON payment_page_finding USING btree (kind, page, subject) WHERE (resolved_at IS NULL);

-- Scripts of others on payment pages that an owner approved; the store's own are approved with the release.
create table payment_script_approval (
  address text not null,
  purpose text not null,
  approved_by text not null,
  approved_at timestamp with time zone not null,
  constraint payment_script_approval_pkey PRIMARY KEY (address),
  constraint payment_script_approval_address_check CHECK (((length(address) >= 1) AND (length(address) <= 300))),
  constraint payment_script_approval_approved_by_check CHECK (((length(approved_by) >= 1) AND (length(approved_by) <= 254))),
  constraint payment_script_approval_purpose_check CHECK (((length(purpose) >= 10) AND (length(purpose) <= 300)))
);

-- A shop's account at the payout provider, as the provider said last.
create table payout_account (
  shop_id integer not null,
  ref text not null,
  state text not null,
  bank_last4 text,
  made_at timestamp with time zone not null,
  read_at timestamp with time zone not null,
  ready_at timestamp with time zone, -- When the account was ready first; later states leave it. Null too where a release before this column noted it.
  constraint payout_account_pkey PRIMARY KEY (shop_id),
  constraint payout_account_ref_key UNIQUE (ref),
  constraint payout_account_bank_last4_check CHECK ((bank_last4 ~ '^[0-9]{4}$'::text)),
  constraint payout_account_ref_check CHECK (((length(ref) >= 1) AND (length(ref) <= 255))),
  constraint payout_account_state_check CHECK ((state = ANY (ARRAY['started'::text, 'ready'::text, 'restricted'::text]))),
  constraint payout_account_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);

-- Shops whose owners were told that pay waits for their bank details.
create table payout_wait (
  shop_id integer not null,
  told_at timestamp with time zone not null,
  constraint payout_wait_pkey PRIMARY KEY (shop_id),
  constraint payout_wait_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);

-- When the carrier last said which of its places are near a ZIP.
create table pickup_search (
  zip text not null,
  answered_at timestamp with time zone not null,
  constraint pickup_search_pkey PRIMARY KEY (zip),
  constraint pickup_search_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);

-- The places of that answer, with how far each is.
create table pickup_search_place (
  zip text not null,
  carrier_location_id integer not null,
  miles numeric(5,1) not null,
  constraint pickup_search_place_pkey PRIMARY KEY (zip, carrier_location_id),
  constraint pickup_search_place_miles_check CHECK ((miles >= (0)::numeric)),
  constraint pickup_search_place_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint pickup_search_place_zip_fkey FOREIGN KEY (zip) REFERENCES pickup_search(zip) ON DELETE CASCADE
);

-- Browsers signed in to the portal of shops; of no use without a live row in shop_member.
create table portal_session (
  id uuid not null,
  secret_hash bytea not null,
  issuer text not null,
  subject text not null,
  name text,
  id_token bytea,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint portal_session_pkey PRIMARY KEY (id),
  constraint portal_session_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint portal_session_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE INDEX portal_session_by_time ON portal_session USING btree (created_at);
CREATE INDEX portal_session_of_person ON portal_session USING btree (issuer, subject) WHERE (ended_at IS NULL);

-- Pictures of offers, drawn anew; staff alone see them.
create table price_guarantee_file (
  request_id bigint not null,
  name text not null,
  file_key uuid not null,
  constraint price_guarantee_file_pkey PRIMARY KEY (request_id),
  constraint price_guarantee_file_file UNIQUE (file_key),
  constraint price_guarantee_file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint price_guarantee_file_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint price_guarantee_file_request_id_fkey FOREIGN KEY (request_id) REFERENCES price_guarantee_request(id)
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON price_guarantee_file FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Lower prices that shoppers found elsewhere, until staff approves or refuses to match them.
create table price_guarantee_request (
  id bigint not null generated always as identity,
  state text not null default 'open'::text,
  order_id bigint,
  email text not null,
  zip text,
  item_id integer not null,
  tire text not null,
  quantity smallint not null,
  our_each_cents integer not null,
  competitor text not null,
  offer_url text not null,
  their_each_cents integer not null,
  includes_installation boolean not null,
  seen_on date not null,
  said bytea not null,
  network_key text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  difference_cents integer,
  refusal text,
  constraint price_guarantee_request_pkey PRIMARY KEY (id),
  constraint guarantee_decided_whole CHECK ((((state = 'open'::text) = (decided_at IS NULL)) AND ((state = 'open'::text) = (decided_by IS NULL)) AND ((state = 'approved'::text) = (difference_cents IS NOT NULL)) AND ((state = 'refused'::text) = (refusal IS NOT NULL)))),
  constraint guarantee_network_forgotten CHECK (((state = 'open'::text) OR (network_key IS NULL))),
  constraint guarantee_price_is_lower CHECK ((their_each_cents < our_each_cents)),
  constraint price_guarantee_request_competitor_check CHECK (((length(competitor) >= 1) AND (length(competitor) <= 80))),
  constraint price_guarantee_request_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint price_guarantee_request_difference_cents_check CHECK ((difference_cents > 0)),
  constraint price_guarantee_request_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint price_guarantee_request_offer_url_check CHECK (((length(offer_url) >= 1) AND (length(offer_url) <= 500))),
  constraint price_guarantee_request_our_each_cents_check CHECK ((our_each_cents > 0)),
  constraint price_guarantee_request_quantity_check CHECK (((quantity >= 1) AND (quantity <= 400))),
  constraint price_guarantee_request_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 500))),
  constraint price_guarantee_request_said_check CHECK ((octet_length(said) = 32)),
  constraint price_guarantee_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'approved'::text, 'refused'::text]))),
  constraint price_guarantee_request_their_each_cents_check CHECK ((their_each_cents > 0)),
  constraint price_guarantee_request_tire_check CHECK (((length(tire) >= 1) AND (length(tire) <= 200))),
  constraint price_guarantee_request_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint price_guarantee_request_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint price_guarantee_request_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE UNIQUE INDEX guarantee_approved_once ON price_guarantee_request USING btree (order_id, item_id) WHERE ((state = 'approved'::text) AND (order_id IS NOT NULL));
CREATE INDEX guarantee_by_email ON price_guarantee_request USING btree (email, created_at);
CREATE INDEX guarantee_by_network ON price_guarantee_request USING btree (network_key, created_at) WHERE (network_key IS NOT NULL);
CREATE INDEX guarantee_by_order ON price_guarantee_request USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX guarantee_by_time ON price_guarantee_request USING btree (created_at, id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX guarantee_said_once ON price_guarantee_request USING btree (said) WHERE (state = 'open'::text);

-- Prices of an account type, with a version that every change raises.
create table price_list (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  account_type text,
  version integer not null default 1,
  constraint price_list_pkey PRIMARY KEY (id),
  constraint price_list_account_type_key UNIQUE (account_type),
  constraint price_list_slug_key UNIQUE (slug),
  constraint price_list_account_type_check CHECK ((account_type = ANY (ARRAY['EPP'::text, 'Fleet'::text, 'Partner Program'::text, 'Retail Member'::text, 'Sales Tool'::text, 'Special Order'::text, 'WholeSale'::text]))),
  constraint price_list_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint price_list_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);

-- The rules of a version, as uploaded.
create table price_list_entry (
  version_id integer not null,
  line integer not null,
  brand_id integer,
  product_line_id integer,
  size_id integer,
  item_id integer,
  kind text not null,
  rate_ppm integer,
  amount_cents integer,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint price_list_entry_pkey PRIMARY KEY (version_id, line),
  constraint price_list_entry_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint price_list_entry_amounts CHECK (
CASE kind
    WHEN 'percent-off'::text THEN ((rate_ppm IS NOT NULL) AND (amount_cents IS NULL))
    WHEN 'fixed'::text THEN ((rate_ppm IS NULL) AND (amount_cents IS NOT NULL) AND (amount_cents > 0))
    ELSE (num_nonnulls(rate_ppm, amount_cents) >= 1)
END),
  constraint price_list_entry_check CHECK ((starts_at < ends_at)),
  constraint price_list_entry_check1 CHECK ((num_nonnulls(brand_id, product_line_id, size_id, item_id) <= 1)),
  constraint price_list_entry_kind_check CHECK ((kind = ANY (ARRAY['percent-off'::text, 'fixed'::text, 'cost-plus'::text]))),
  constraint price_list_entry_line_check CHECK (((line >= 1) AND (line <= 1000000))),
  constraint price_list_entry_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000))),
  constraint price_list_entry_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id) ON DELETE CASCADE,
  constraint price_list_entry_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint price_list_entry_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE,
  constraint price_list_entry_size_id_fkey FOREIGN KEY (size_id) REFERENCES size(id) ON DELETE CASCADE,
  constraint price_list_entry_version_id_fkey FOREIGN KEY (version_id) REFERENCES price_list_version(id) ON DELETE CASCADE
);
CREATE TRIGGER price_list_entry_never_edited AFTER INSERT OR UPDATE ON price_list_entry FOR EACH ROW EXECUTE FUNCTION price_list_entry_is_never_edited();

-- Versions of price lists as staff upload them: drafts until they have a start; the next one ends them.
create table price_list_version (
  id integer not null generated always as identity,
  price_list_id integer not null,
  form_key uuid not null,
  name text not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint price_list_version_pkey PRIMARY KEY (id),
  constraint price_list_version_made_once UNIQUE (form_key),
  constraint price_list_version_starts_alone UNIQUE (price_list_id, starts_at),
  constraint price_list_version_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint price_list_version_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint price_list_version_times CHECK (((ends_at IS NULL) OR ((starts_at < ends_at) AND (starts_at IS NOT NULL)))),
  constraint price_list_version_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_list(id)
);
CREATE INDEX price_list_version_by_list ON price_list_version USING btree (price_list_id, id DESC);
CREATE TRIGGER price_list_version_never_edited AFTER UPDATE ON price_list_version FOR EACH ROW EXECUTE FUNCTION price_list_version_is_never_edited();

-- Rules of a price list, each with its dates.
create table price_rule (
  id integer not null generated always as identity,
  price_list_id integer not null,
  brand_id integer,
  product_line_id integer,
  size_id integer,
  item_id integer,
  kind text not null,
  rate_ppm integer,
  amount_cents integer,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  constraint price_rule_pkey PRIMARY KEY (id),
  constraint price_rule_one_at_a_time EXCLUDE USING gist (price_list_id WITH =, COALESCE(brand_id, 0) WITH =, COALESCE(product_line_id, 0) WITH =, COALESCE(size_id, 0) WITH =, COALESCE(item_id, 0) WITH =, tstzrange(starts_at, ends_at) WITH &&), -- Of one scope one rule counts at a time.
  constraint price_rule_amount_cents_check CHECK ((amount_cents >= 0)),
  constraint price_rule_amounts CHECK (
CASE kind
    WHEN 'percent-off'::text THEN ((rate_ppm IS NOT NULL) AND (amount_cents IS NULL))
    WHEN 'fixed'::text THEN ((rate_ppm IS NULL) AND (amount_cents IS NOT NULL) AND (amount_cents > 0))
    ELSE (num_nonnulls(rate_ppm, amount_cents) >= 1)
END),
  constraint price_rule_check CHECK ((starts_at < ends_at)),
  constraint price_rule_check1 CHECK ((num_nonnulls(brand_id, product_line_id, size_id, item_id) <= 1)),
  constraint price_rule_kind_check CHECK ((kind = ANY (ARRAY['percent-off'::text, 'fixed'::text, 'cost-plus'::text]))),
  constraint price_rule_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000))),
  constraint price_rule_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id) ON DELETE CASCADE,
  constraint price_rule_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint price_rule_price_list_id_fkey FOREIGN KEY (price_list_id) REFERENCES price_list(id) ON DELETE CASCADE,
  constraint price_rule_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE,
  constraint price_rule_size_id_fkey FOREIGN KEY (size_id) REFERENCES size(id) ON DELETE CASCADE
);
CREATE TRIGGER price_rule_deleted AFTER DELETE ON price_rule REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION price_rules_changed();
CREATE TRIGGER price_rule_inserted AFTER INSERT ON price_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION price_rules_changed();
CREATE TRIGGER price_rule_updated AFTER UPDATE ON price_rule REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION price_rules_changed();

-- Web and worker processes, and when each was last seen.
create table process_sign (
  id uuid not null,
  kind text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint process_sign_pkey PRIMARY KEY (id),
  constraint process_sign_check CHECK ((seen_at >= started_at)),
  constraint process_sign_kind_check CHECK ((kind = ANY (ARRAY['web'::text, 'worker'::text])))
);

-- Tire models of a brand, each in many sizes.
create table product_line (
  id integer not null generated always as identity,
  brand_id integer not null,
  slug text not null,
  name text not null,
  category_slug text not null,
  tread text not null,
  m_plus_s boolean not null,
  three_peak boolean not null,
  winter boolean not null,
  ev boolean not null default false,
  warranty_miles integer,
  feed_about text not null, -- The description from a feed.
  own_about text, -- The description that staff wrote in place of it.
  about text generated always as (COALESCE(own_about, feed_about)) stored,
  retired boolean not null default false, -- Staff took all its tires off sale.
  constraint product_line_pkey PRIMARY KEY (id),
  constraint product_line_brand_id_slug_key UNIQUE (brand_id, slug),
  constraint product_line_own_about_check CHECK (((length(own_about) >= 1) AND (length(own_about) <= 2000))),
  constraint product_line_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint product_line_tread_check CHECK ((tread = ANY (ARRAY['all-season'::text, 'summer'::text, 'winter'::text, 'all-terrain'::text, 'mud-terrain'::text, 'all-weather'::text, 'highway'::text, 'trailer'::text, 'commercial'::text]))),
  constraint product_line_warranty_miles_check CHECK ((warranty_miles > 0)),
  constraint product_line_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint product_line_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES category(slug)
);
CREATE INDEX product_line_by_category ON product_line USING btree (category_slug);
CREATE TRIGGER product_line_category_in_use BEFORE INSERT ON product_line FOR EACH ROW EXECUTE FUNCTION refuse_retired_category(); -- A retired category takes no new models.
CREATE TRIGGER product_line_moved_to_category_in_use BEFORE UPDATE OF category_slug ON product_line FOR EACH ROW WHEN ((old.category_slug <> new.category_slug)) EXECUTE FUNCTION refuse_retired_category(); -- A retired category takes no models of other categories.
CREATE TRIGGER retire_items AFTER UPDATE OF retired ON product_line FOR EACH ROW WHEN ((old.retired <> new.retired)) EXECUTE FUNCTION retire_items();

-- What comes off an item, a line, a brand or everything for a time.
create table promotion (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  headline text not null,
  kind text not null,
  amount integer not null,
  brand_id integer,
  product_line_id integer,
  item_id integer,
  funded_by text not null,
  already_applied boolean not null default false,
  link_to_coverage boolean not null default false,
  daily boolean not null default false,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  filter_id integer, -- Narrows its tires; null for all tires of its brand, model, or item.
  constraint promotion_pkey PRIMARY KEY (id),
  constraint promotion_slug_key UNIQUE (slug),
  constraint promotion_amount_check CHECK ((amount >= 0)),
  constraint promotion_check CHECK ((starts_at < ends_at)),
  constraint promotion_check1 CHECK (((kind <> 'Percentage'::text) OR ((amount >= 1) AND (amount <= 100)))),
  constraint promotion_daily_at_most_a_fifth CHECK (((NOT daily) OR ((kind = 'Percentage'::text) AND (amount <= 20) AND ((ends_at - starts_at) <= '25:00:00'::interval)))),
  constraint promotion_filter_of_many CHECK (((filter_id IS NULL) OR (item_id IS NULL))),
  constraint promotion_funded_by_check CHECK ((funded_by = ANY (ARRAY['store'::text, 'maker'::text, 'lender'::text, 'bank'::text]))),
  constraint promotion_kind_check CHECK ((kind = ANY (ARRAY['Flat Amount'::text, 'Buy3Get1'::text, 'Free'::text, 'Percentage'::text]))),
  constraint promotion_slug_is_free CHECK (((slug <> ALL (ARRAY['black-friday-sale'::text, 'cyber-monday-sale'::text])) AND (slug !~ '-rebate$'::text))),
  constraint promotion_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint promotion_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES tire_filter(id),
  constraint promotion_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint promotion_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id)
);
CREATE INDEX promotion_by_end ON promotion USING btree (ends_at, id);
CREATE INDEX promotion_filtered ON promotion USING btree (filter_id) WHERE (filter_id IS NOT NULL);
CREATE TRIGGER promotion_never_edited AFTER UPDATE ON promotion FOR EACH ROW EXECUTE FUNCTION promotion_is_never_edited(); -- Orders name promotions: what one takes off stays true, and it may only end earlier.

-- Tires that a promotion on a line, a brand or every tire leaves out, because it would price them below their minimum advertised price (MAP).
create table promotion_exclusion (
  promotion_id integer not null,
  item_id integer not null,
  price_cents integer not null, -- What the promotion would have made of the price of one, in a set of four, when it was scheduled.
  map_cents integer not null,
  constraint promotion_exclusion_pkey PRIMARY KEY (promotion_id, item_id),
  constraint promotion_exclusion_check CHECK ((map_cents > price_cents)),
  constraint promotion_exclusion_price_cents_check CHECK ((price_cents >= 0)),
  constraint promotion_exclusion_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint promotion_exclusion_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotion(id) ON DELETE CASCADE
);
CREATE INDEX promotion_exclusion_by_item ON promotion_exclusion USING btree (item_id);

-- Promotions made in the office: drafts until promotion_id names the promotion that was scheduled from them.
create table promotion_plan (
  id integer not null generated always as identity,
  form_key uuid not null,
  name text not null,
  headline text not null,
  kind text not null,
  amount integer not null,
  brand_id integer,
  product_line_id integer,
  item_id integer,
  funded_by text not null,
  replaces_id integer, -- The promotion that ends when this one starts.
  promotion_id integer,
  created_by text not null,
  created_at timestamp with time zone not null,
  filter_id integer, -- Narrows its tires; null for all tires of its brand, model, or item.
  daily boolean not null default false, -- A deal of one day.
  link_to_coverage boolean not null default false, -- Whether it points shoppers to the replacement coverage.
  version integer not null default 1, -- Rises with each change of a draft, so that a form can tell that it is out of date.
  constraint promotion_plan_pkey PRIMARY KEY (id),
  constraint promotion_plan_made_once UNIQUE (form_key),
  constraint promotion_plan_scheduled_once UNIQUE (promotion_id),
  constraint promotion_plan_amount CHECK (
CASE kind
    WHEN 'Percentage'::text THEN ((amount >= 1) AND (amount <= 100))
    WHEN 'Flat Amount'::text THEN ((amount >= 1) AND (amount <= 100000))
    WHEN 'Free'::text THEN ((amount >= 1) AND (amount <= 8))
    ELSE (amount = 0)
END),
  constraint promotion_plan_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint promotion_plan_daily_at_most_a_fifth CHECK (((NOT daily) OR ((kind = 'Percentage'::text) AND (amount <= 20)))),
  constraint promotion_plan_filter_of_many CHECK (((filter_id IS NULL) OR (item_id IS NULL))),
  constraint promotion_plan_funded_by_check CHECK ((funded_by = ANY (ARRAY['store'::text, 'maker'::text, 'lender'::text, 'bank'::text]))),
  constraint promotion_plan_headline_check CHECK (((length(headline) >= 3) AND (length(headline) <= 120))),
  constraint promotion_plan_kind_check CHECK ((kind = ANY (ARRAY['Flat Amount'::text, 'Buy3Get1'::text, 'Free'::text, 'Percentage'::text]))),
  constraint promotion_plan_name_check CHECK (((length(name) >= 3) AND (length(name) <= 80))),
  constraint promotion_plan_one_subject CHECK ((num_nonnulls(brand_id, product_line_id, item_id) <= 1)),
  constraint promotion_plan_other_version CHECK ((replaces_id <> promotion_id)),
  constraint promotion_plan_version_check CHECK ((version >= 1)),
  constraint promotion_plan_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint promotion_plan_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES tire_filter(id),
  constraint promotion_plan_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint promotion_plan_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id),
  constraint promotion_plan_promotion_id_fkey FOREIGN KEY (promotion_id) REFERENCES promotion(id),
  constraint promotion_plan_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES promotion(id)
);
CREATE INDEX promotion_plan_by_replaced ON promotion_plan USING btree (replaces_id);
CREATE INDEX promotion_plan_drafts ON promotion_plan USING btree (id DESC) WHERE (promotion_id IS NULL);
CREATE TRIGGER promotion_plan_never_edited BEFORE UPDATE ON promotion_plan FOR EACH ROW EXECUTE FUNCTION promotion_plan_is_never_edited(); -- What was tested is what is scheduled.

-- Original sizes of one year of a model as a provider lists them; empty if it lists none.
create table provided_sizes (
  year smallint not null,
  make_slug text not null,
  model_slug text not null,
  provider text not null,
  received_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  options jsonb not null, -- Each choice of sizes, with the slugs of its trims and the tire of each axle.
  constraint provided_sizes_pkey PRIMARY KEY (year, make_slug, model_slug),
  constraint provided_sizes_expire CHECK ((expires_at > received_at)),
  constraint provided_sizes_options_check CHECK ((jsonb_typeof(options) = 'array'::text)),
  constraint provided_sizes_provider_fkey FOREIGN KEY (provider) REFERENCES size_provider(name)
);
CREATE INDEX provided_sizes_by_expiry ON provided_sizes USING btree (expires_at);

-- Messages of providers and carriers, kept by their id, so that one that comes twice counts once.
create table provider_event (
  provider text not null,
  id text not null,
  kind text not null,
  body jsonb, -- Only of messages that the release before this table's division kept.
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  constraint provider_event_pkey PRIMARY KEY (provider, id)
);

-- The text of messages of providers and carriers, by month. Read by people who look into a charge or a parcel; deleted after its period.
create table provider_event_body (
  provider text not null,
  id text not null,
  received_at timestamp with time zone not null,
  body jsonb not null,
  constraint provider_event_body_pkey PRIMARY KEY (provider, id, received_at),
  constraint provider_event_body_provider_id_fkey FOREIGN KEY (provider, id) REFERENCES provider_event(provider, id) ON DELETE CASCADE
) partition by RANGE (received_at);

-- Money that moved at payment providers, as they list it.
create table provider_movement (
  provider text not null,
  ref text not null,
  kind text not null,
  at timestamp with time zone not null,
  amount_cents bigint not null,
  fee_cents bigint not null,
  charge_ref text,
  refund_ref text,
  dispute_ref text,
  constraint provider_movement_pkey PRIMARY KEY (provider, ref),
  constraint provider_movement_charge_ref_check CHECK (((length(charge_ref) >= 1) AND (length(charge_ref) <= 255))),
  constraint provider_movement_dispute_ref_check CHECK (((length(dispute_ref) >= 1) AND (length(dispute_ref) <= 255))),
  constraint provider_movement_kind_check CHECK ((kind = ANY (ARRAY['charge'::text, 'refund'::text, 'refund-failure'::text, 'dispute'::text, 'dispute-reversal'::text, 'fee'::text, 'payout'::text, 'transfer'::text, 'hold'::text, 'other'::text]))),
  constraint provider_movement_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'paypal'::text, 'lender'::text, 'resolve'::text]))),
  constraint provider_movement_ref_check CHECK (((length(ref) >= 1) AND (length(ref) <= 255))),
  constraint provider_movement_refund_ref_check CHECK (((length(refund_ref) >= 1) AND (length(refund_ref) <= 255)))
);
CREATE INDEX provider_movement_by_charge ON provider_movement USING btree (charge_ref) WHERE (charge_ref IS NOT NULL);
CREATE INDEX provider_movement_by_refund ON provider_movement USING btree (refund_ref) WHERE (refund_ref IS NOT NULL);
CREATE INDEX provider_movement_by_time ON provider_movement USING btree (provider, at);

-- A visit from a purchasing system: its user shops at the company's prices and takes the cart back.
create table punchout_session (
  id uuid not null,
  company_id uuid not null,
  operation text not null,
  buyer_cookie text not null,
  return_url text not null,
  link_hash bytea not null,
  cart_id uuid,
  zip text,
  created_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  ends_at timestamp with time zone not null,
  customer_id text,
  constraint punchout_session_pkey PRIMARY KEY (id),
  constraint punchout_session_link_hash_key UNIQUE (link_hash),
  constraint punchout_session_buyer_cookie_check CHECK (((length(buyer_cookie) >= 1) AND (length(buyer_cookie) <= 1000))),
  constraint punchout_session_check CHECK ((ends_at > created_at)),
  constraint punchout_session_customer_id_check CHECK (((length(customer_id) >= 1) AND (length(customer_id) <= 60))),
  constraint punchout_session_link_hash_check CHECK ((octet_length(link_hash) = 32)),
  constraint punchout_session_operation_check CHECK ((operation = ANY (ARRAY['create'::text, 'edit'::text, 'inspect'::text]))),
  constraint punchout_session_return_url_check CHECK (((length(return_url) >= 8) AND (length(return_url) <= 1000))),
  constraint punchout_session_zip_check CHECK ((zip ~ '^[0-9]{5}$'::text)),
  constraint punchout_session_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE ON DELETE SET NULL,
  constraint punchout_session_company_id_fkey FOREIGN KEY (company_id) REFERENCES purchasing_system(company_id) ON DELETE CASCADE
);
CREATE INDEX punchout_session_by_cart ON punchout_session USING btree (cart_id) WHERE (cart_id IS NOT NULL);
CREATE INDEX punchout_session_by_end ON punchout_session USING btree (ends_at);

-- Orders to suppliers, filled whole or rejected whole: one at a time for each order and supplier’s warehouse.
create table purchase_order (
  id bigint not null generated always as identity,
  order_id bigint not null,
  warehouse_id smallint not null,
  supplier_id smallint not null,
  state text not null default 'held'::text,
  created_at timestamp with time zone not null,
  released_at timestamp with time zone,
  answered_at timestamp with time zone,
  supplier_reference text,
  reject_reason text,
  asked_no smallint not null default 1,
  sent_at timestamp with time zone, -- When the supplier’s system took it, as asked last.
  withdrawn_at timestamp with time zone, -- When the supplier’s system took that it is not wanted any more.
  shipped_at timestamp with time zone,
  ship_notice text,
  constraint purchase_order_pkey PRIMARY KEY (id),
  constraint purchase_order_accepted CHECK (((state = 'accepted'::text) <= (supplier_reference IS NOT NULL))),
  constraint purchase_order_asked_no_check CHECK (((asked_no >= 1) AND (asked_no <= 99))),
  constraint purchase_order_reject_reason_check CHECK (((length(reject_reason) >= 1) AND (length(reject_reason) <= 400))),
  constraint purchase_order_rejected CHECK (((state = 'rejected'::text) <= (reject_reason IS NOT NULL))),
  constraint purchase_order_released CHECK (((state = ANY (ARRAY['held'::text, 'canceled'::text])) OR (released_at IS NOT NULL))),
  constraint purchase_order_sent_once_released CHECK (((sent_at IS NULL) OR (released_at IS NOT NULL))),
  constraint purchase_order_ship_notice_check CHECK (((length(ship_notice) >= 1) AND (length(ship_notice) <= 100))),
  constraint purchase_order_shipped_with_notice CHECK (((shipped_at IS NULL) = (ship_notice IS NULL))),
  constraint purchase_order_state_check CHECK ((state = ANY (ARRAY['held'::text, 'released'::text, 'accepted'::text, 'rejected'::text, 'canceled'::text]))),
  constraint purchase_order_supplier_reference_check CHECK (((length(supplier_reference) >= 1) AND (length(supplier_reference) <= 60))),
  constraint purchase_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint purchase_order_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint purchase_order_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX purchase_order_accepted_at ON purchase_order USING btree (answered_at) WHERE (state = 'accepted'::text);
CREATE INDEX purchase_order_by_order ON purchase_order USING btree (order_id);
CREATE INDEX purchase_order_by_release ON purchase_order USING btree (released_at) WHERE (released_at IS NOT NULL);
CREATE INDEX purchase_order_by_state ON purchase_order USING btree (state, id DESC);
CREATE UNIQUE INDEX purchase_order_once ON purchase_order USING btree (order_id, warehouse_id) WHERE (state <> 'canceled'::text);
CREATE INDEX purchase_order_rejected_first ON purchase_order USING btree (answered_at) WHERE (state = 'rejected'::text);
CREATE TRIGGER purchase_order_life BEFORE INSERT OR UPDATE ON purchase_order FOR EACH ROW EXECUTE FUNCTION purchase_order_moves();

-- The units of a purchase order, by line of the shopper’s order.
create table purchase_order_line (
  purchase_order_id bigint not null,
  line_no smallint not null,
  item_id integer not null,
  quantity smallint not null,
  filled_units smallint not null default 0,
  rejected_units smallint not null default 0,
  backordered_units smallint not null default 0,
  unit_cost_cents integer, -- The supplier’s price of one unit when the order was placed or sourced; null if unknown.
  freight_cents integer not null default 0, -- The supplier’s freight for one unit when the order was placed or sourced, in addition to its price.
  constraint purchase_order_line_pkey PRIMARY KEY (purchase_order_id, line_no),
  constraint purchase_order_line_adds_up CHECK (((((filled_units + rejected_units) + backordered_units) = 0) OR (((filled_units + rejected_units) + backordered_units) = quantity))), -- A supplier answers for every unit or for none.
  constraint purchase_order_line_backordered_units_check CHECK ((backordered_units >= 0)),
  constraint purchase_order_line_filled_units_check CHECK ((filled_units >= 0)),
  constraint purchase_order_line_freight_cents_check CHECK (((freight_cents >= 0) AND (freight_cents <= 50000))),
  constraint purchase_order_line_quantity_check CHECK ((quantity > 0)),
  constraint purchase_order_line_rejected_units_check CHECK ((rejected_units >= 0)),
  constraint purchase_order_line_unit_cost_cents_check CHECK (((unit_cost_cents >= 1) AND (unit_cost_cents <= 100000000))),
  constraint purchase_order_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint purchase_order_line_purchase_order_id_fkey FOREIGN KEY (purchase_order_id) REFERENCES purchase_order(id) ON DELETE CASCADE
);

-- What the store tells a purchasing system of its order: waiting, taken, or given up.
create table purchasing_document (
  id uuid not null,
  order_id bigint not null,
  kind text not null,
  shipment_id uuid,
  facts jsonb not null,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  last_error text,
  made_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint purchasing_document_pkey PRIMARY KEY (id),
  constraint purchasing_document_attempts_check CHECK ((attempts >= 0)),
  constraint purchasing_document_check CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL))),
  constraint purchasing_document_check1 CHECK (((kind = 'ship-notice'::text) = (shipment_id IS NOT NULL))),
  constraint purchasing_document_kind_check CHECK ((kind = ANY (ARRAY['confirmation'::text, 'rejection'::text, 'ship-notice'::text, 'invoice'::text]))),
  constraint purchasing_document_last_error_check CHECK ((length(last_error) <= 300)),
  constraint purchasing_document_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dead'::text]))),
  constraint purchasing_document_order_id_fkey FOREIGN KEY (order_id) REFERENCES purchasing_order(order_id) ON DELETE CASCADE,
  constraint purchasing_document_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id) ON DELETE CASCADE
);
CREATE INDEX purchasing_document_dead ON purchasing_document USING btree (made_at) WHERE (state = 'dead'::text);
CREATE UNIQUE INDEX purchasing_document_once ON purchasing_document USING btree (order_id, kind, shipment_id) NULLS NOT DISTINCT;
CREATE INDEX purchasing_document_waiting ON purchasing_document USING btree (made_at) WHERE (state = 'waiting'::text);

-- What purchasing systems sent, and what was answered: the same payload id is answered the same way.
create table purchasing_message (
  company_id uuid not null,
  payload_id text not null,
  kind text not null,
  received_at timestamp with time zone not null,
  answer bytea,
  code smallint,
  words text,
  constraint purchasing_message_pkey PRIMARY KEY (company_id, payload_id),
  constraint purchasing_message_check CHECK (((answer IS NULL) = (code IS NULL))),
  constraint purchasing_message_code_check CHECK (((code >= 200) AND (code <= 599))),
  constraint purchasing_message_kind_check CHECK (((length(kind) >= 1) AND (length(kind) <= 60))),
  constraint purchasing_message_payload_id_check CHECK (((length(payload_id) >= 1) AND (length(payload_id) <= 255))),
  constraint purchasing_message_words_check CHECK ((length(words) <= 1000)),
  constraint purchasing_message_company_id_fkey FOREIGN KEY (company_id) REFERENCES purchasing_system(company_id) ON DELETE CASCADE
);
CREATE INDEX purchasing_message_by_day ON purchasing_message USING btree (received_at);

-- An order that a purchasing system placed, under its own number, once.
create table purchasing_order (
  order_id bigint not null,
  company_id uuid not null,
  channel text not null,
  buyer_order_id text not null,
  payload_id text not null,
  order_date text not null,
  cost_center text,
  customer_id text,
  is_test boolean not null,
  constraint purchasing_order_pkey PRIMARY KEY (order_id),
  constraint purchasing_order_buyer_order_id_check CHECK (((length(buyer_order_id) >= 1) AND (length(buyer_order_id) <= 40))),
  constraint purchasing_order_channel_check CHECK ((channel = ANY (ARRAY['procurement'::text, 'military-exchange'::text]))),
  constraint purchasing_order_cost_center_check CHECK (((length(cost_center) >= 1) AND (length(cost_center) <= 60))),
  constraint purchasing_order_customer_id_check CHECK (((length(customer_id) >= 1) AND (length(customer_id) <= 60))),
  constraint purchasing_order_order_date_check CHECK (((length(order_date) >= 10) AND (length(order_date) <= 40))),
  constraint purchasing_order_payload_id_check CHECK (((length(payload_id) >= 1) AND (length(payload_id) <= 255))),
  constraint purchasing_order_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint purchasing_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX purchasing_order_once ON purchasing_order USING btree (company_id, buyer_order_id);

-- The lines of an order of a purchasing system, under the numbers they have there.
create table purchasing_order_line (
  order_id bigint not null,
  line_number integer not null,
  part_id text not null,
  item_id integer,
  quantity integer not null,
  unit text not null,
  unit_cents integer not null,
  name text not null,
  constraint purchasing_order_line_pkey PRIMARY KEY (order_id, line_number),
  constraint purchasing_order_line_line_number_check CHECK (((line_number >= 0) AND (line_number <= 100000))),
  constraint purchasing_order_line_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint purchasing_order_line_part_id_check CHECK (((length(part_id) >= 1) AND (length(part_id) <= 60))),
  constraint purchasing_order_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  constraint purchasing_order_line_unit_check CHECK (((length(unit) >= 1) AND (length(unit) <= 10))),
  constraint purchasing_order_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint purchasing_order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES purchasing_order(order_id) ON DELETE CASCADE
);

-- The secrets that a purchasing system may send, as SHA-256; a new one leaves the one before valid for a while.
create table purchasing_secret (
  id uuid not null,
  company_id uuid not null,
  hash bytea not null,
  issued_at timestamp with time zone not null,
  issued_by text not null,
  ends_at timestamp with time zone,
  constraint purchasing_secret_pkey PRIMARY KEY (id),
  constraint purchasing_secret_hash_key UNIQUE (hash),
  constraint purchasing_secret_check CHECK (((ends_at IS NULL) OR (ends_at >= issued_at))),
  constraint purchasing_secret_hash_check CHECK ((octet_length(hash) = 32)),
  constraint purchasing_secret_issued_by_check CHECK (((length(issued_by) >= 1) AND (length(issued_by) <= 100))),
  constraint purchasing_secret_company_id_fkey FOREIGN KEY (company_id) REFERENCES purchasing_system(company_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX purchasing_secret_current ON purchasing_secret USING btree (company_id) WHERE (ends_at IS NULL);

-- A company's purchasing system, which speaks cXML with the store: who it is in documents, who is billed, and where ours go.
create table purchasing_system (
  company_id uuid not null,
  channel text not null default 'procurement'::text,
  from_domain text not null,
  from_identity text not null,
  document_url text,
  document_secret bytea,
  bill_name text not null,
  bill_street text not null,
  bill_city text not null,
  bill_state text not null,
  bill_zip text not null,
  phone text not null,
  email text not null,
  set_at timestamp with time zone not null,
  set_by text not null,
  constraint purchasing_system_pkey PRIMARY KEY (company_id),
  constraint purchasing_system_bill_city_check CHECK (((length(bill_city) >= 1) AND (length(bill_city) <= 60))),
  constraint purchasing_system_bill_name_check CHECK (((length(bill_name) >= 1) AND (length(bill_name) <= 60))),
  constraint purchasing_system_bill_state_check CHECK ((bill_state ~ '^[A-Z]{2}$'::text)),
  constraint purchasing_system_bill_street_check CHECK (((length(bill_street) >= 1) AND (length(bill_street) <= 100))),
  constraint purchasing_system_bill_zip_check CHECK ((bill_zip ~ '^[0-9]{5}$'::text)),
  constraint purchasing_system_channel_check CHECK ((channel = ANY (ARRAY['procurement'::text, 'military-exchange'::text]))),
  constraint purchasing_system_check CHECK (((document_url IS NULL) = (document_secret IS NULL))),
  constraint purchasing_system_document_url_check CHECK (((length(document_url) >= 8) AND (length(document_url) <= 500))),
  constraint purchasing_system_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint purchasing_system_from_domain_check CHECK (((length(from_domain) >= 1) AND (length(from_domain) <= 60))),
  constraint purchasing_system_from_identity_check CHECK (((length(from_identity) >= 1) AND (length(from_identity) <= 100))),
  constraint purchasing_system_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint purchasing_system_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 100))),
  constraint purchasing_system_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX purchasing_system_from ON purchasing_system USING btree (lower(from_domain), lower(from_identity));

-- The daily email of open tasks that each member of the staff chose.
create table queue_digest (
  id uuid not null,
  issuer text not null,
  subject text not null,
  hour smallint not null,
  except_queues text[] not null default '{}'::text[],
  subscribed_at timestamp with time zone not null,
  constraint queue_digest_pkey PRIMARY KEY (id),
  constraint queue_digest_once UNIQUE (issuer, subject),
  constraint queue_digest_except_queues_check CHECK ((cardinality(except_queues) <= 100)),
  constraint queue_digest_hour_check CHECK (((hour >= 0) AND (hour <= 23)))
);

-- What a maker pays back after the purchase.
create table rebate (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  amount_cents integer not null,
  units smallint not null,
  paid_as text not null,
  brand_id integer,
  product_line_id integer,
  form_url text,
  mail_to text,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  last_claim_on date not null,
  retired_at timestamp with time zone, -- When staff ended it early. Purchases before that can still be claimed.
  version integer not null default 1,
  changed_at timestamp with time zone,
  changed_by text,
  draft boolean not null default false, -- Not scheduled, so that only staff see it.
  filter_id integer, -- Narrows its tires; null for all tires of its brand or model.
  constraint rebate_pkey PRIMARY KEY (id),
  constraint rebate_name_key UNIQUE (name),
  constraint rebate_slug_key UNIQUE (slug),
  constraint rebate_amount_cents_check CHECK ((amount_cents > 0)),
  constraint rebate_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint rebate_changed_whole CHECK (((changed_at IS NULL) = (changed_by IS NULL))),
  constraint rebate_check CHECK ((num_nonnulls(brand_id, product_line_id) = 1)),
  constraint rebate_check1 CHECK ((num_nonnulls(form_url, mail_to) = 1)),
  constraint rebate_check2 CHECK ((starts_at < ends_at)),
  constraint rebate_check3 CHECK ((((ends_at AT TIME ZONE 'America/New_York'::text))::date <= last_claim_on)),
  constraint rebate_form_url_check CHECK ((form_url ~ '^https://[^\s]+$'::text)),
  constraint rebate_form_url_length CHECK ((length(form_url) <= 300)),
  constraint rebate_mail_to_length CHECK ((length(mail_to) <= 200)),
  constraint rebate_name_length CHECK (((length(name) >= 3) AND (length(name) <= 80))),
  constraint rebate_paid_as_check CHECK ((paid_as = ANY (ARRAY['prepaid-card'::text, 'check'::text]))),
  constraint rebate_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*-rebate$'::text)),
  constraint rebate_units_check CHECK (((units >= 1) AND (units <= 8))),
  constraint rebate_version_check CHECK ((version >= 1)),
  constraint rebate_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint rebate_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES tire_filter(id),
  constraint rebate_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id)
);
CREATE INDEX rebate_by_end ON rebate USING btree (ends_at);
CREATE TRIGGER rebate_never_edited AFTER UPDATE ON rebate FOR EACH ROW EXECUTE FUNCTION rebate_is_never_edited(); -- Shoppers claim a rebate for the amount and the tires that they bought for, at least until the day that they were shown.

-- A maker's recall of tires, by its campaign at NHTSA.
create table recall (
  id integer not null generated always as identity,
  campaign text not null,
  maker text not null,
  line text,
  sizes text[] not null,
  defect text not null,
  remedy text not null,
  state text not null default 'draft'::text,
  drafted_at timestamp with time zone not null,
  drafted_by text not null,
  opened_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint recall_pkey PRIMARY KEY (id),
  constraint recall_campaign_once UNIQUE (campaign),
  constraint recall_campaign_check CHECK ((campaign ~ '^[0-9]{2}T-[0-9]{3}$'::text)),
  constraint recall_closed_whole CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint recall_defect_check CHECK (((length(defect) >= 1) AND (length(defect) <= 1000))),
  constraint recall_drafted_by_check CHECK (((length(drafted_by) >= 1) AND (length(drafted_by) <= 254))),
  constraint recall_line_check CHECK (((length(line) >= 1) AND (length(line) <= 200))),
  constraint recall_maker_check CHECK (((length(maker) >= 1) AND (length(maker) <= 100))),
  constraint recall_open_whole CHECK (((state = 'draft'::text) = (opened_at IS NULL))),
  constraint recall_remedy_check CHECK (((length(remedy) >= 1) AND (length(remedy) <= 1000))),
  constraint recall_sizes_check CHECK ((cardinality(sizes) <= 60)),
  constraint recall_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'open'::text, 'closed'::text])))
);
CREATE INDEX recall_of_maker ON recall USING btree (lower(maker)) WHERE (state = 'open'::text);
CREATE TRIGGER recall_life BEFORE UPDATE ON recall FOR EACH ROW EXECUTE FUNCTION recall_moves(); -- A recall is drafted, opened and closed, in this order.

-- That the buyer of a registered tire was told of its recall: once for each tire and campaign.
create table recall_notice (
  recall_id integer not null,
  registration_id bigint not null,
  order_id bigint not null,
  message_key text not null,
  told_at timestamp with time zone not null,
  answer text,
  answered_at timestamp with time zone,
  constraint recall_notice_pkey PRIMARY KEY (recall_id, registration_id),
  constraint recall_notice_answer_check CHECK ((answer = ANY (ARRAY['replaced'::text, 'will-go'::text, 'not-mine'::text]))),
  constraint recall_notice_answered_whole CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint recall_notice_message_key_check CHECK (((length(message_key) >= 1) AND (length(message_key) <= 200))),
  constraint recall_notice_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint recall_notice_recall_id_fkey FOREIGN KEY (recall_id) REFERENCES recall(id),
  constraint recall_notice_registration_id_fkey FOREIGN KEY (registration_id) REFERENCES tire_registration(id) ON DELETE CASCADE
);
CREATE INDEX recall_notice_of_order ON recall_notice USING btree (order_id);
CREATE INDEX recall_notice_of_registration ON recall_notice USING btree (registration_id);

-- Which tire identification numbers a recall is about.
create table recall_range (
  recall_id integer not null,
  plant text not null,
  code text not null,
  from_week integer not null,
  to_week integer not null,
  constraint recall_range_pkey PRIMARY KEY (recall_id, plant, code, from_week, to_week),
  constraint recall_range_code_check CHECK ((code ~ '^[A-HJ-NPR-Z0-9]{0,6}$'::text)),
  constraint recall_range_forward CHECK ((from_week <= to_week)),
  constraint recall_range_from_week_check CHECK (((from_week >= 200001) AND (from_week <= 209953))),
  constraint recall_range_plant_check CHECK ((plant ~ '^[A-HJ-NPR-Z0-9]{2,3}$'::text)),
  constraint recall_range_to_week_check CHECK (((to_week >= 200001) AND (to_week <= 209953))),
  constraint recall_range_recall_id_fkey FOREIGN KEY (recall_id) REFERENCES recall(id) ON DELETE CASCADE
);
CREATE INDEX recall_range_of_plant ON recall_range USING btree (plant, from_week);

-- Days that were reconciled with a payment provider, and what moved on them.
create table reconciled_day (
  provider text not null,
  moved_on date not null,
  state text not null,
  movements integer not null,
  charged_cents bigint not null,
  refunded_cents bigint not null,
  disputed_cents bigint not null,
  fee_cents bigint not null,
  reconciled_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolved_by text,
  note text,
  constraint reconciled_day_pkey PRIMARY KEY (provider, moved_on),
  constraint reconciled_day_movements_check CHECK ((movements >= 0)),
  constraint reconciled_day_note_check CHECK (((length(note) >= 1) AND (length(note) <= 1000))),
  constraint reconciled_day_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'paypal'::text, 'lender'::text, 'resolve'::text]))),
  constraint reconciled_day_resolved_by_check CHECK (((length(resolved_by) >= 1) AND (length(resolved_by) <= 254))),
  constraint reconciled_day_resolved_whole CHECK ((((state = 'resolved'::text) = (resolved_at IS NOT NULL)) AND ((state = 'resolved'::text) = (resolved_by IS NOT NULL)) AND ((state = 'resolved'::text) = (note IS NOT NULL)))),
  constraint reconciled_day_state_check CHECK ((state = ANY (ARRAY['balanced'::text, 'open'::text, 'resolved'::text])))
);
CREATE INDEX reconciled_day_open ON reconciled_day USING btree (moved_on) WHERE (state = 'open'::text);

-- Where a provider and the store do not agree to the cent.
create table reconciled_difference (
  provider text not null,
  moved_on date not null,
  kind text not null,
  ref text not null,
  order_id bigint,
  provider_cents bigint not null,
  store_cents bigint not null,
  constraint reconciled_difference_pkey PRIMARY KEY (provider, moved_on, kind, ref),
  constraint reconciled_difference_is_one CHECK ((provider_cents <> store_cents)),
  constraint reconciled_difference_kind_check CHECK ((kind = ANY (ARRAY['charge-without-order'::text, 'order-without-charge'::text, 'amount-differs'::text, 'refund-missing'::text, 'refund-unknown'::text, 'fee'::text, 'dispute'::text, 'ledger-differs'::text]))),
  constraint reconciled_difference_ref_check CHECK (((length(ref) >= 1) AND (length(ref) <= 255))),
  constraint reconciled_difference_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint reconciled_difference_provider_moved_on_fkey FOREIGN KEY (provider, moved_on) REFERENCES reconciled_day(provider, moved_on) ON DELETE CASCADE
);
CREATE INDEX reconciled_difference_by_order ON reconciled_difference USING btree (order_id) WHERE (order_id IS NOT NULL);

-- The sets of reference data that migrating installed, with the version of each.
create table reference_data (
  name text not null,
  version text not null, -- A SHA-256 of the rows as they were installed.
  rows integer not null,
  installed_at timestamp with time zone not null,
  constraint reference_data_pkey PRIMARY KEY (name),
  constraint reference_data_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint reference_data_rows_check CHECK ((rows > 0)),
  constraint reference_data_version_check CHECK ((version ~ '^[0-9a-f]{64}$'::text))
);

-- Orders placed by such a link; pending until the tires are kept.
create table referral (
  order_id bigint not null,
  referrer_id uuid,
  friend_id uuid not null,
  rate_ppm integer not null,
  state text not null default 'pending'::text,
  placed_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint referral_pkey PRIMARY KEY (order_id),
  constraint referral_check CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint referral_rate_ppm_check CHECK (((rate_ppm >= 1) AND (rate_ppm <= 300000))),
  constraint referral_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'earned'::text, 'canceled'::text]))),
  constraint referral_friend_id_fkey FOREIGN KEY (friend_id) REFERENCES customer(id),
  constraint referral_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint referral_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX referral_by_referrer ON referral USING btree (referrer_id, placed_at);
CREATE UNIQUE INDEX referral_once_per_friend ON referral USING btree (friend_id) WHERE (state <> 'canceled'::text);
CREATE INDEX referral_unsettled ON referral USING btree (placed_at) WHERE (state = 'pending'::text);

-- Mails with that link, one a friend.
create table referral_invite (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  sent_at timestamp with time zone not null,
  constraint referral_invite_pkey PRIMARY KEY (id),
  constraint referral_invite_account_id_email_key UNIQUE (account_id, email),
  constraint referral_invite_email_check CHECK ((((length(email) >= 3) AND (length(email) <= 254)) AND (email = lower(email)))),
  constraint referral_invite_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX referral_invite_by_day ON referral_invite USING btree (account_id, sent_at);

-- The link of an account for friends.
create table referral_link (
  code text not null,
  account_id uuid not null,
  created_at timestamp with time zone not null,
  constraint referral_link_pkey PRIMARY KEY (code),
  constraint referral_link_account_id_key UNIQUE (account_id),
  constraint referral_link_code_check CHECK ((code ~ '^[a-z2-9]{10}$'::text)),
  constraint referral_link_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

-- When available and incoming units of a tire in a warehouse come to reorder_at or fewer, order_up_to is ordered up to.
create table reorder_point (
  id integer not null generated always as identity,
  item_id integer not null,
  warehouse_id smallint not null,
  supplier_id smallint not null,
  reorder_at integer not null,
  order_up_to integer not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint reorder_point_pkey PRIMARY KEY (id),
  constraint reorder_point_once UNIQUE (item_id, warehouse_id),
  constraint reorder_point_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint reorder_point_order_up_to_check CHECK (((order_up_to >= 1) AND (order_up_to <= 10000))),
  constraint reorder_point_orders_more CHECK ((order_up_to > reorder_at)),
  constraint reorder_point_reorder_at_check CHECK (((reorder_at >= 0) AND (reorder_at <= 9999))),
  constraint reorder_point_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint reorder_point_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint reorder_point_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);

-- Days that the reports have counted, and when last.
create table report_day (
  day date not null,
  counted_at timestamp with time zone not null,
  constraint report_day_pkey PRIMARY KEY (day)
);

-- Sums of a day for the reports, by state, shop and account type. Counted again from the ledger and the orders at any time.
create table report_figure (
  day date not null,
  kind text not null,
  label text not null,
  state_code text not null,
  shop_id integer,
  account_type text not null,
  orders integer not null default 0,
  units integer not null default 0,
  kept integer not null default 0,
  amount_cents bigint not null default 0,
  cost_cents bigint not null default 0,
  unknown_cents bigint not null default 0,
  taxed_cents bigint not null default 0,
  tax_cents bigint not null default 0,
  fee_cents bigint not null default 0,
  excise_cents bigint not null default 0,
  funded_cents bigint not null default 0,
  captured_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  constraint report_figure_once UNIQUE NULLS NOT DISTINCT (day, kind, label, state_code, shop_id, account_type), -- A sum is there once.
  constraint report_figure_account_type_check CHECK ((length(account_type) <= 40)),
  constraint report_figure_kept_of_parcels CHECK (((kept >= 0) AND (kept <= GREATEST(orders, 0)))), -- No more promises are kept than were due.
  constraint report_figure_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'brand'::text, 'parcel'::text, 'refund'::text, 'promotion'::text, 'cash'::text, 'job'::text, 'no-show'::text, 'shop-cancellation'::text, 'rating'::text, 'supplier-ordered'::text, 'supplier-filled'::text, 'supplier-short'::text, 'supplier-parcel'::text, 'cart'::text, 'authority'::text]))),
  constraint report_figure_label_check CHECK ((length(label) <= 300)),
  constraint report_figure_state_code_check CHECK ((state_code ~ '^([A-Z]{2})?$'::text)),
  constraint report_figure_day_fkey FOREIGN KEY (day) REFERENCES report_day(day) ON DELETE CASCADE,
  constraint report_figure_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);

-- Reports that staff get by email each week or month.
create table report_subscription (
  id uuid not null,
  issuer text not null,
  subject text not null,
  report text not null,
  every text not null,
  hour smallint not null,
  subscribed_at timestamp with time zone not null,
  constraint report_subscription_pkey PRIMARY KEY (id),
  constraint report_subscription_once UNIQUE (issuer, subject, report, every),
  constraint report_subscription_every_check CHECK ((every = ANY (ARRAY['week'::text, 'month'::text]))),
  constraint report_subscription_hour_check CHECK (((hour >= 0) AND (hour <= 23))),
  constraint report_subscription_report_check CHECK (((length(report) >= 1) AND (length(report) <= 40)))
);

-- Rules that price tires from their cost, by brand and supplier. They apply with a published price import.
create table retail_price_rule (
  id integer not null generated always as identity,
  brand_id integer, -- The brand that it prices; null: every brand.
  supplier_id smallint, -- The supplier of the cheapest units in stock; null: any, and our stock.
  markup_ppm integer not null, -- Added to the cost, in parts per million of it.
  add_cents integer not null,
  margin_floor_ppm integer not null, -- The minimum margin, in parts per million of the price.
  raises_to_map boolean not null,
  ending_cents smallint, -- The last two digits of a price; null: as calculated.
  version integer not null default 1,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  competitor_days smallint, -- The maximum age in days of competitors' prices that count; null if none counts.
  competitor_beat_ppm integer not null default 0, -- By how much the lowest of them is beaten, in parts per million of it. Cents are added.
  competitor_beat_cents integer not null default 0,
  constraint retail_price_rule_pkey PRIMARY KEY (id),
  constraint retail_price_rule_of_tires UNIQUE NULLS NOT DISTINCT (brand_id, supplier_id),
  constraint retail_price_rule_add_cents_check CHECK (((add_cents >= 0) AND (add_cents <= 1000000))),
  constraint retail_price_rule_competitor_beat_cents_check CHECK (((competitor_beat_cents >= 0) AND (competitor_beat_cents <= 1000000))),
  constraint retail_price_rule_competitor_beat_ppm_check CHECK (((competitor_beat_ppm >= 0) AND (competitor_beat_ppm <= 500000))),
  constraint retail_price_rule_competitor_days_check CHECK (((competitor_days >= 1) AND (competitor_days <= 365))),
  constraint retail_price_rule_ending_cents_check CHECK (((ending_cents >= 0) AND (ending_cents <= 99))),
  constraint retail_price_rule_margin_floor_ppm_check CHECK (((margin_floor_ppm >= 0) AND (margin_floor_ppm <= 900000))),
  constraint retail_price_rule_markup_ppm_check CHECK (((markup_ppm >= 0) AND (markup_ppm <= 9999999))),
  constraint retail_price_rule_version_check CHECK ((version > 0)),
  constraint retail_price_rule_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint retail_price_rule_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id)
);
CREATE INDEX retail_price_rule_by_supplier ON retail_price_rule USING btree (supplier_id);

-- Every change of a tire of a return and every scan by the carrier, with who and when.
create table return_event (
  id bigint not null generated always as identity,
  return_id bigint not null,
  tire_no smallint not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint return_event_pkey PRIMARY KEY (id),
  constraint return_event_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 254))),
  constraint return_event_note_check CHECK ((length(note) <= 500)),
  constraint return_event_tire_fkey FOREIGN KEY (return_id, tire_no) REFERENCES return_tire(return_id, tire_no)
);
CREATE INDEX return_event_by_return ON return_event USING btree (return_id, id);
CREATE CONSTRAINT TRIGGER webhooks_of_return_event AFTER INSERT ON return_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.to_state = ANY (ARRAY['requested'::text, 'received'::text, 'refunded'::text, 'refused'::text, 'canceled'::text]))) EXECUTE FUNCTION tell_of_return_event(); -- Endpoints are told of returns that are requested, received, refunded, refused and canceled.

-- Refunds of returns that wait for a second look, with its result.
create table return_hold (
  id bigint not null generated always as identity,
  return_id bigint not null,
  reason text not null,
  held_by text not null,
  held_at timestamp with time zone not null,
  result text,
  released_by text,
  released_at timestamp with time zone,
  constraint return_hold_pkey PRIMARY KEY (id),
  constraint return_hold_check CHECK ((released_at >= held_at)),
  constraint return_hold_held_by_check CHECK (((length(held_by) >= 1) AND (length(held_by) <= 254))),
  constraint return_hold_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint return_hold_released_by_check CHECK (((length(released_by) >= 1) AND (length(released_by) <= 254))),
  constraint return_hold_released_whole CHECK ((num_nulls(result, released_by, released_at) = ANY (ARRAY[0, 3]))),
  constraint return_hold_result_check CHECK (((length(result) >= 1) AND (length(result) <= 500))),
  constraint return_hold_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX return_held_once ON return_hold USING btree (return_id) WHERE (released_at IS NULL);
CREATE INDEX return_hold_by_return ON return_hold USING btree (return_id, id);

-- Pictures of returned tires, re-encoded as WebP: up to five by the shopper, and our own of refused tires.
create table return_photo (
  return_id bigint not null,
  no smallint not null,
  tire_no smallint,
  by text not null,
  name text not null,
  at timestamp with time zone not null,
  file_key uuid not null,
  constraint return_photo_pkey PRIMARY KEY (return_id, no),
  constraint return_photo_file UNIQUE (file_key),
  constraint return_photo_by_check CHECK ((by = ANY (ARRAY['shopper'::text, 'staff'::text]))),
  constraint return_photo_by_staff_of_a_tire CHECK (((by = 'staff'::text) = (tire_no IS NOT NULL))),
  constraint return_photo_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint return_photo_no_check CHECK (((no >= 1) AND (no <= 20))),
  constraint return_photo_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint return_photo_of_a_tire FOREIGN KEY (return_id, tire_no) REFERENCES return_tire(return_id, tire_no),
  constraint return_photo_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id)
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON return_photo FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- What was given back for the accepted tires of a return, with the handling fee and why it was waived.
create table return_refund (
  return_id bigint not null,
  no smallint not null,
  at timestamp with time zone not null,
  by text not null,
  goods_cents integer not null,
  fee_cents integer not null,
  fee_reason text not null,
  refund_cents integer not null,
  way text not null,
  lowered_cents integer not null default 0,
  constraint return_refund_pkey PRIMARY KEY (return_id, no),
  constraint return_fee_only_when_due CHECK (((fee_cents = 0) OR (fee_reason = 'due'::text))),
  constraint return_refund_adds_up CHECK (((refund_cents = ((goods_cents - fee_cents) - lowered_cents)) AND (refund_cents >= 0))),
  constraint return_refund_by_check CHECK (((length(by) >= 1) AND (length(by) <= 254))),
  constraint return_refund_fee_cents_check CHECK ((fee_cents >= 0)),
  constraint return_refund_fee_reason_check CHECK ((fee_reason = ANY (ARRAY['due'::text, 'reordered'::text, 'said-to-fit'::text, 'our-mistake'::text]))),
  constraint return_refund_goods_cents_check CHECK ((goods_cents >= 0)),
  constraint return_refund_lowered_cents_check CHECK ((lowered_cents >= 0)),
  constraint return_refund_no_check CHECK (((no >= 1) AND (no <= 400))),
  constraint return_refund_way_check CHECK ((way = ANY (ARRAY['card'::text, 'credit'::text, 'invoice'::text, 'by-hand'::text]))),
  constraint return_refund_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id)
);

-- The tires of a return, one row each, with label, finding and outcome.
create table return_tire (
  return_id bigint not null,
  tire_no smallint not null,
  order_id bigint not null,
  line_no smallint not null,
  unit smallint not null,
  state text not null default 'requested'::text,
  ships_back boolean not null,
  parcel_ref text,
  carrier text,
  tracking_number text,
  label_url text,
  received_at timestamp with time zone,
  finding text,
  dot text,
  is_dot_match boolean,
  outcome text,
  refusal text,
  inspected_at timestamp with time zone,
  refund_no smallint,
  order_refund_id uuid, -- The refund of the order this tire is in, once asked for: a draft, approved or declined. Null where money was settled by hand.
  order_refund_fee text,
  warehouse_id integer, -- The warehouse on its label, chosen with the carrier's first call for the label; null without a label.
  constraint return_tire_pkey PRIMARY KEY (return_id, tire_no),
  constraint return_tracking_number_key UNIQUE (tracking_number),
  constraint return_tire_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 60))),
  constraint return_tire_dot_check CHECK ((dot ~ '^[0-9A-Z ]{4,20}$'::text)),
  constraint return_tire_finding_check CHECK (((length(finding) >= 1) AND (length(finding) <= 300))),
  constraint return_tire_inspected CHECK (((state = ANY (ARRAY['accepted'::text, 'refused'::text, 'refunded'::text])) = (inspected_at IS NOT NULL))),
  constraint return_tire_label_has_warehouse CHECK (((tracking_number IS NULL) OR (warehouse_id IS NOT NULL))), -- A label names the warehouse that the tire is sent to.
  constraint return_tire_label_url_check CHECK (((length(label_url) >= 1) AND (length(label_url) <= 500))),
  constraint return_tire_label_whole CHECK (((carrier IS NULL) = (tracking_number IS NULL))),
  constraint return_tire_order_refund_fee_check CHECK ((order_refund_fee = ANY (ARRAY['due'::text, 'reordered'::text, 'said-to-fit'::text, 'our-mistake'::text]))),
  constraint return_tire_order_refund_whole CHECK (((order_refund_id IS NULL) = (order_refund_fee IS NULL))),
  constraint return_tire_outcome_check CHECK ((outcome = ANY (ARRAY['restock'::text, 'blemished'::text, 'supplier'::text, 'scrap'::text, 'send-back'::text]))),
  constraint return_tire_parcel_ref_check CHECK (((length(parcel_ref) >= 1) AND (length(parcel_ref) <= 100))),
  constraint return_tire_received_in_time CHECK (((state = ANY (ARRAY['received'::text, 'accepted'::text, 'refused'::text, 'refunded'::text])) = (received_at IS NOT NULL))),
  constraint return_tire_refunded_once CHECK (((state = 'refunded'::text) = (refund_no IS NOT NULL))),
  constraint return_tire_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 500))),
  constraint return_tire_refusal_said CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
  constraint return_tire_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'labeled'::text, 'shipped'::text, 'received'::text, 'accepted'::text, 'refused'::text, 'refunded'::text, 'canceled'::text]))),
  constraint return_tire_tire_no_check CHECK (((tire_no >= 1) AND (tire_no <= 400))),
  constraint return_tire_tracking_number_check CHECK (((length(tracking_number) >= 1) AND (length(tracking_number) <= 60))),
  constraint return_tire_unit_check CHECK ((unit >= 1)),
  constraint return_tire_line_fkey FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no),
  constraint return_tire_order_refund_id_fkey FOREIGN KEY (order_refund_id) REFERENCES order_refund(id),
  constraint return_tire_refund_fkey FOREIGN KEY (return_id, refund_no) REFERENCES return_refund(return_id, no),
  constraint return_tire_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id),
  constraint return_tire_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX return_tire_by_order_refund ON return_tire USING btree (order_refund_id) WHERE (order_refund_id IS NOT NULL);
CREATE INDEX return_tire_by_state ON return_tire USING btree (state, return_id);
CREATE INDEX return_tire_by_warehouse ON return_tire USING btree (warehouse_id) WHERE (warehouse_id IS NOT NULL);
CREATE UNIQUE INDEX return_unit_once ON return_tire USING btree (order_id, line_no, unit) WHERE (state <> 'canceled'::text);
CREATE TRIGGER return_tire_life BEFORE INSERT OR UPDATE OF state ON return_tire FOR EACH ROW EXECUTE FUNCTION return_tire_moves(); -- A tire of a return only moves on the way it may.
CREATE TRIGGER return_units_within_delivered BEFORE INSERT ON return_tire FOR EACH ROW EXECUTE FUNCTION return_units_within_delivered(); -- No order has more tires in its returns than were delivered.

-- Reviews of product lines, with their state of moderation.
create table review (
  id integer not null generated always as identity,
  product_line_id integer not null,
  dry smallint,
  wet smallint,
  winter smallint,
  comfort smallint,
  noise smallint,
  treadwear smallint,
  overall_hundredths smallint not null,
  summary text not null,
  comments text not null,
  author_name text not null,
  email text,
  purchased_on date,
  vehicle text not null,
  miles_driven integer not null,
  driving_style text not null,
  where_used text not null,
  buy_again boolean not null,
  verified_order_id bigint,
  sample boolean not null default false,
  state text not null,
  helpful_count integer not null default 0,
  written_at timestamp with time zone not null,
  vehicle_model text,
  writer_id uuid,
  held_for text[] not null default '{}'::text[],
  refused_for text,
  constraint review_pkey PRIMARY KEY (id),
  constraint review_check CHECK ((COALESCE(dry, wet, winter, comfort, noise, treadwear) IS NOT NULL)),
  constraint review_comfort_check CHECK (((comfort >= 1) AND (comfort <= 5))),
  constraint review_comments_length CHECK (((char_length(comments) >= 1) AND (char_length(comments) <= 4000))),
  constraint review_driving_style CHECK ((driving_style = ANY (ARRAY['Relaxed'::text, 'Average'::text, 'Spirited'::text, 'Towing or hauling'::text]))),
  constraint review_dry_check CHECK (((dry >= 1) AND (dry <= 5))),
  constraint review_has_a_writer CHECK ((sample OR ((email IS NOT NULL) AND (purchased_on IS NOT NULL)))),
  constraint review_held_for_check CHECK ((held_for <@ ARRAY['link'::text, 'contact-details'::text, 'profanity'::text, 'shouting'::text, 'unverified'::text, 'unknown-account'::text])),
  constraint review_helpful_count_check CHECK ((helpful_count >= 0)),
  constraint review_miles_driven_check CHECK ((miles_driven >= 0)),
  constraint review_noise_check CHECK (((noise >= 1) AND (noise <= 5))),
  constraint review_overall_hundredths_check CHECK (((overall_hundredths >= 100) AND (overall_hundredths <= 500))),
  constraint review_refused_for_a_reason CHECK (((state = 'refused'::text) = (refused_for IS NOT NULL))),
  constraint review_refused_for_check CHECK ((refused_for = ANY (ARRAY['off-topic'::text, 'profanity'::text, 'personal-information'::text, 'advertising'::text, 'not-genuine'::text, 'hateful'::text, 'unlawful'::text]))),
  constraint review_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'published'::text, 'refused'::text]))),
  constraint review_summary_check CHECK (((char_length(summary) >= 1) AND (char_length(summary) <= 80))),
  constraint review_treadwear_check CHECK (((treadwear >= 1) AND (treadwear <= 5))),
  constraint review_wet_check CHECK (((wet >= 1) AND (wet <= 5))),
  constraint review_where_used CHECK ((where_used = ANY (ARRAY['Highway'::text, 'City'::text, 'Mixed'::text, 'Country roads'::text, 'Off road'::text]))),
  constraint review_winter_check CHECK (((winter >= 1) AND (winter <= 5))),
  constraint review_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id) ON DELETE CASCADE,
  constraint review_verified_order_id_fkey FOREIGN KEY (verified_order_id) REFERENCES sales_order(id)
);
CREATE INDEX review_by_stars_of_line ON review USING btree (product_line_id, overall_hundredths, id) WHERE (state = 'published'::text);
CREATE INDEX review_by_vehicle_of_line ON review USING btree (product_line_id, vehicle_model) WHERE (state = 'published'::text);
CREATE INDEX review_most_helpful ON review USING btree (helpful_count DESC, id DESC) WHERE (state = 'published'::text);
CREATE INDEX review_most_helpful_of_line ON review USING btree (product_line_id, helpful_count DESC, id DESC) WHERE (state = 'published'::text);
CREATE INDEX review_newest ON review USING btree (written_at DESC, id DESC) WHERE (state = 'published'::text);
CREATE INDEX review_newest_of_line ON review USING btree (product_line_id, written_at DESC, id DESC) WHERE (state = 'published'::text);
CREATE UNIQUE INDEX review_once_per_email ON review USING btree (product_line_id, email) WHERE (state <> 'refused'::text);
CREATE UNIQUE INDEX review_once_per_order ON review USING btree (verified_order_id, product_line_id) WHERE (state <> 'refused'::text);
CREATE INDEX review_refused ON review USING btree (written_at DESC, id DESC) WHERE (state = 'refused'::text);
CREATE INDEX review_waiting ON review USING btree (written_at, id) WHERE (state = 'waiting'::text);
CREATE TRIGGER review_deleted AFTER DELETE ON review REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION review_changed();
CREATE TRIGGER review_inserted AFTER INSERT ON review REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION review_changed();
CREATE TRIGGER review_mark_is_proven BEFORE INSERT OR UPDATE OF verified_order_id, product_line_id ON review FOR EACH ROW EXECUTE FUNCTION review_mark_is_proven();
CREATE TRIGGER review_updated AFTER UPDATE ON review REFERENCING OLD TABLE AS gone NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION review_changed();

-- Every change of a review, with who and when.
create table review_event (
  id bigint not null generated always as identity,
  review_id integer not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint review_event_pkey PRIMARY KEY (id),
  constraint review_event_review_id_fkey FOREIGN KEY (review_id) REFERENCES review(id) ON DELETE CASCADE
);
CREATE INDEX review_event_by_review ON review_event USING btree (review_id);

-- Whom a review helped: one vote a person.
create table review_vote (
  review_id integer not null,
  visitor_id uuid not null,
  at timestamp with time zone not null,
  account_id uuid,
  network text,
  constraint review_vote_pkey PRIMARY KEY (review_id, visitor_id),
  constraint review_vote_has_a_voter CHECK (((account_id IS NOT NULL) OR (network IS NOT NULL))) NOT VALID,
  constraint review_vote_network_check CHECK (((length(network) >= 1) AND (length(network) <= 64))),
  constraint review_vote_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint review_vote_review_id_fkey FOREIGN KEY (review_id) REFERENCES review(id) ON DELETE CASCADE
);
CREATE INDEX review_vote_by_account ON review_vote USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE UNIQUE INDEX review_vote_once_per_account ON review_vote USING btree (review_id, account_id) WHERE (account_id IS NOT NULL);
CREATE UNIQUE INDEX review_vote_once_per_network ON review_vote USING btree (review_id, network) WHERE (account_id IS NULL);
CREATE TRIGGER review_vote_counted AFTER INSERT OR DELETE ON review_vote FOR EACH ROW EXECUTE FUNCTION review_vote_counted();

-- Orders as they were placed: where to, at what price, under which verdict.
create table sales_order (
  id bigint not null generated always as identity,
  customer_id uuid not null,
  cart_id uuid not null,
  state text not null,
  placed_at timestamp with time zone not null,
  cancel_until timestamp with time zone not null,
  fulfillment text not null,
  shop_id integer,
  carrier_location_id integer,
  first_name text not null,
  last_name text not null,
  company text,
  address1 text not null,
  address2 text,
  city text not null,
  state_code text not null,
  zip text not null,
  instructions text,
  email text not null,
  phone text not null,
  phone_extension text,
  phone_type text not null,
  ship_to_name text not null,
  ship_to_street text not null,
  ship_to_city text not null,
  ship_to_state text not null,
  ship_to_zip text not null,
  vehicle jsonb,
  vehicle_note text,
  fitment_verdict jsonb,
  billing jsonb not null,
  breakdown jsonb not null,
  terms_accepted_at timestamp with time zone not null,
  tire_fee_cents integer not null,
  fet_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  released_at timestamp with time zone,
  credit_cents integer not null default 0,
  company_id uuid,
  buyer_id uuid,
  confirm_by timestamp with time zone,
  confirmation_rules text[] not null default '{}'::text[],
  canceled_late boolean not null default false, -- Staff canceled it after its release, before anything shipped.
  dealer_shop_id integer, -- The branded store it was placed in; null for our own.
  pickup_warehouse_id smallint,
  sold_by text, -- The email of the staff member who placed the order for the customer, or whose quote it was placed from; null for an order that the customer put together.
  constraint sales_order_pkey PRIMARY KEY (id),
  constraint sales_order_cart_id_key UNIQUE (cart_id), -- A cart becomes one order, however often it is submitted.
  constraint sales_order_canceled_late CHECK (((NOT canceled_late) OR ((state = 'canceled'::text) AND (released_at IS NOT NULL)))), -- Only a released and canceled order was canceled late.
  constraint sales_order_canceled_or_released CHECK (((state <> 'canceled'::text) OR (released_at IS NULL) OR canceled_late)), -- An order that is charged and shipped is not canceled, unless staff did before a parcel shipped.
  constraint sales_order_check CHECK (((fulfillment <> ALL (ARRAY['shop'::text, 'mobile'::text])) OR (shop_id IS NOT NULL))),
  constraint sales_order_credit_within_total CHECK (((credit_cents >= 0) AND (credit_cents <= total_cents))), -- Credit pays no more than the order.
  constraint sales_order_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint sales_order_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text, 'home'::text, 'carrier-pickup'::text, 'warehouse-pickup'::text]))),
  constraint sales_order_pickup_warehouse CHECK (((fulfillment = 'warehouse-pickup'::text) = (pickup_warehouse_id IS NOT NULL))), -- What is picked up at a warehouse is picked up at one.
  constraint sales_order_released_after_window CHECK ((released_at >= cancel_until)), -- Nothing is charged or shipped while canceling is promised.
  constraint sales_order_sold_by_check CHECK (((length(sold_by) >= 3) AND (length(sold_by) <= 254))),
  constraint sales_order_state_check CHECK ((state = ANY (ARRAY['needs-confirmation'::text, 'confirmed'::text, 'canceled'::text, 'returned'::text]))),
  constraint sales_order_tax_cents_check CHECK ((tax_cents >= 0)),
  constraint sales_order_tire_fee_cents_check CHECK ((tire_fee_cents >= 0)),
  constraint sales_order_total_cents_check CHECK ((total_cents >= 0)),
  constraint sales_order_unconfirmed_unreleased CHECK (((state <> 'needs-confirmation'::text) OR (released_at IS NULL))), -- What the shopper has not confirmed is neither charged nor shipped.
  constraint sales_order_unconfirmed_until CHECK (((state <> 'needs-confirmation'::text) OR (confirm_by IS NOT NULL))), -- Nothing waits for its shopper without an end.
  constraint sales_order_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint sales_order_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint sales_order_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON UPDATE CASCADE,
  constraint sales_order_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint sales_order_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint sales_order_dealer_shop_id_fkey FOREIGN KEY (dealer_shop_id) REFERENCES branded_store(shop_id),
  constraint sales_order_pickup_warehouse_id_fkey FOREIGN KEY (pickup_warehouse_id) REFERENCES warehouse(id),
  constraint sales_order_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX sales_order_by_address ON sales_order USING btree (ship_to_zip, lower(ship_to_street), placed_at) WHERE (fulfillment = 'home'::text);
CREATE INDEX sales_order_by_buyer ON sales_order USING btree (buyer_id, placed_at) WHERE (buyer_id IS NOT NULL);
CREATE INDEX sales_order_by_company ON sales_order USING btree (company_id, id) WHERE (company_id IS NOT NULL);
CREATE INDEX sales_order_by_customer ON sales_order USING btree (customer_id, placed_at DESC);
CREATE INDEX sales_order_by_dealer ON sales_order USING btree (dealer_shop_id, placed_at DESC) WHERE (dealer_shop_id IS NOT NULL);
CREATE INDEX sales_order_by_destination ON sales_order USING btree (ship_to_state, placed_at DESC, id DESC);
CREATE INDEX sales_order_by_email ON sales_order USING btree (lower(email) text_pattern_ops, placed_at DESC);
CREATE INDEX sales_order_by_fulfillment ON sales_order USING btree (fulfillment, placed_at DESC, id DESC);
CREATE INDEX sales_order_by_full_name ON sales_order USING btree (lower(((first_name || ' '::text) || last_name)) text_pattern_ops, placed_at DESC);
CREATE INDEX sales_order_by_last_name ON sales_order USING btree (lower(last_name) text_pattern_ops, placed_at DESC);
CREATE INDEX sales_order_by_number_end ON sales_order USING btree (((id % (10000)::bigint)), id DESC);
CREATE INDEX sales_order_by_part ON sales_order USING gin (lower(((((((((first_name || ' '::text) || last_name) || '
'::text) || email) || '
'::text) || COALESCE(company, ''::text)) || '
'::text) || COALESCE((billing ->> 'poNumber'::text), ''::text))) gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX sales_order_by_phone ON sales_order USING btree (phone text_pattern_ops, placed_at DESC);
CREATE INDEX sales_order_by_phone_end ON sales_order USING btree ("right"(phone, 4), placed_at DESC, id DESC);
CREATE INDEX sales_order_by_po_number ON sales_order USING btree (lower((billing ->> 'poNumber'::text)) text_pattern_ops, placed_at DESC) WHERE ((billing ->> 'poNumber'::text) IS NOT NULL);
CREATE INDEX sales_order_by_release ON sales_order USING btree (released_at) WHERE (state <> 'canceled'::text);
CREATE INDEX sales_order_by_seller ON sales_order USING btree (lower(sold_by) text_pattern_ops, placed_at DESC, id DESC) WHERE (sold_by IS NOT NULL);
CREATE INDEX sales_order_by_shop ON sales_order USING btree (shop_id, placed_at DESC, id DESC) WHERE (shop_id IS NOT NULL);
CREATE INDEX sales_order_by_time ON sales_order USING btree (placed_at DESC, id DESC);
CREATE INDEX sales_order_by_zip ON sales_order USING btree (zip, placed_at DESC, id DESC);
CREATE INDEX sales_order_canceled ON sales_order USING btree (placed_at DESC, id DESC) WHERE (state = 'canceled'::text);
CREATE INDEX sales_order_to_confirm ON sales_order USING btree (placed_at DESC, id DESC) WHERE (state = 'needs-confirmation'::text);
CREATE INDEX sales_order_unconfirmed ON sales_order USING btree (confirm_by) WHERE (state = 'needs-confirmation'::text);
CREATE INDEX sales_order_unreleased ON sales_order USING btree (placed_at DESC, id DESC) WHERE ((state = 'confirmed'::text) AND (released_at IS NULL));
CREATE TRIGGER order_begins_packet AFTER INSERT ON sales_order FOR EACH ROW WHEN ((new.company_id IS NOT NULL)) EXECUTE FUNCTION order_begins_packet(); -- Orders of a company with fleet packets have a PO number and a packet.
CREATE TRIGGER order_held_until_decided BEFORE UPDATE OF released_at ON sales_order FOR EACH ROW WHEN (((old.released_at IS NULL) AND (new.released_at IS NOT NULL))) EXECUTE FUNCTION order_held_until_decided(); -- What staff have to look at is neither charged nor shipped before they accept it.
CREATE TRIGGER sales_order_life BEFORE UPDATE OF state ON sales_order FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION order_moves_by_its_life(); -- An order moves as order_may_move says, and is not canceled once a parcel has shipped.
CREATE CONSTRAINT TRIGGER webhooks_of_changed_order AFTER UPDATE ON sales_order DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.state <> 'canceled'::text) AND ((((((((((((((((old.state IS DISTINCT FROM new.state) OR (old.fulfillment IS DISTINCT FROM new.fulfillment)) OR (old.shop_id IS DISTINCT FROM new.shop_id)) OR (old.carrier_location_id IS DISTINCT FROM new.carrier_location_id)) OR (old.pickup_warehouse_id IS DISTINCT FROM new.pickup_warehouse_id)) OR (old.total_cents IS DISTINCT FROM new.total_cents)) OR (old.address1 IS DISTINCT FROM new.address1)) OR (old.address2 IS DISTINCT FROM new.address2)) OR (old.city IS DISTINCT FROM new.city)) OR (old.state_code IS DISTINCT FROM new.state_code)) OR (old.zip IS DISTINCT FROM new.zip)) OR (old.ship_to_name IS DISTINCT FROM new.ship_to_name)) OR (old.ship_to_street IS DISTINCT FROM new.ship_to_street)) OR (old.ship_to_city IS DISTINCT FROM new.ship_to_city)) OR (old.ship_to_state IS DISTINCT FROM new.ship_to_state)) OR (old.ship_to_zip IS DISTINCT FROM new.ship_to_zip)))) EXECUTE FUNCTION write_order_changed(); -- Endpoints are sent orders whose state, place, address or total changes.

-- Quotes to customers, of staff and of Sales Tool accounts: sent as a link, and ordered at most once.
create table sales_quote (
  id bigint not null generated always as identity,
  state text not null default 'draft'::text,
  form_key uuid not null,
  revision integer not null default 1,
  replaces_id bigint,
  version smallint not null default 1,
  name text not null,
  email text not null,
  phone text,
  account_id uuid,
  price_label text not null default 'Retail'::text,
  vehicle jsonb,
  zip text,
  fulfillment text not null default 'shop'::text,
  shop_id integer,
  roadside boolean not null default false,
  note text,
  good_through_on date not null,
  expires_at timestamp with time zone, -- When its prices end; null for a draft.
  breakdown jsonb,
  total_cents integer,
  created_at timestamp with time zone not null,
  created_by text, -- Who of staff began it; null for a quote of an account.
  updated_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  approved_by text,
  order_id bigint,
  author_account_id uuid, -- The Sales Tool account that sent it; null for a quote of staff.
  mails smallint not null default 0,
  address1 text, -- The customer's street address as given by phone; the first cart opened from the quote begins with it.
  address2 text,
  city text,
  us_state text,
  pickup_warehouse_id smallint, -- The warehouse where the customer picks the tires up; null in a draft without one, and for other deliveries.
  carrier_location_id integer, -- The carrier's place where the customer picks the tires up; null in a draft without one, and for other deliveries.
  suggested_slot text, -- The suggested installation time at the shop, as a start or as a day and drop-off window; not held.
  main_id bigint, -- The row of the first vehicle, which has the link, the emails, and the versions; null in that row.
  position smallint not null default 1, -- The place of the vehicle in the quote.
  constraint sales_quote_pkey PRIMARY KEY (id),
  constraint quote_vehicle_once UNIQUE (main_id, "position"),
  constraint sales_quote_form_key_key UNIQUE (form_key),
  constraint sales_quote_order_id_key UNIQUE (order_id),
  constraint sales_quote_replaces_id_key UNIQUE (replaces_id),
  constraint quote_has_one_author CHECK ((num_nonnulls(created_by, author_account_id) = 1)),
  constraint quote_main_first CHECK (((main_id IS NULL) = ("position" = 1))),
  constraint quote_of_account_at_retail CHECK (((author_account_id IS NULL) OR ((price_label = 'Retail'::text) AND (account_id IS NULL)))),
  constraint quote_ordered_has_order CHECK (((state = 'ordered'::text) = (order_id IS NOT NULL))),
  constraint quote_place_for_pickup CHECK (((carrier_location_id IS NULL) OR (fulfillment = 'carrier-pickup'::text))),
  constraint quote_sent_whole CHECK (((state = ANY (ARRAY['draft'::text, 'needs-approval'::text, 'withdrawn'::text])) OR ((sent_at IS NOT NULL) AND (expires_at > sent_at) AND (total_cents IS NOT NULL) AND (breakdown IS NOT NULL)))),
  constraint quote_shop_for_installation CHECK (((shop_id IS NULL) OR (fulfillment = 'shop'::text))),
  constraint quote_time_at_shop CHECK (((suggested_slot IS NULL) OR (shop_id IS NOT NULL))),
  constraint quote_vehicle_of_staff CHECK (((main_id IS NULL) OR ((author_account_id IS NULL) AND (replaces_id IS NULL) AND (mails = 0)))),
  constraint quote_warehouse_for_pickup CHECK (((pickup_warehouse_id IS NULL) OR (fulfillment = 'warehouse-pickup'::text))),
  constraint sales_quote_address1_check CHECK (((length(address1) >= 1) AND (length(address1) <= 100))),
  constraint sales_quote_address2_check CHECK (((length(address2) >= 1) AND (length(address2) <= 100))),
  constraint sales_quote_address_whole CHECK (((num_nonnulls(address1, city, us_state) = ANY (ARRAY[0, 3])) AND ((address2 IS NULL) OR (address1 IS NOT NULL)))),
  constraint sales_quote_approved_by_check CHECK (((length(approved_by) >= 1) AND (length(approved_by) <= 254))),
  constraint sales_quote_city_check CHECK (((length(city) >= 1) AND (length(city) <= 60))),
  constraint sales_quote_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint sales_quote_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint sales_quote_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'home'::text, 'warehouse-pickup'::text, 'carrier-pickup'::text]))),
  constraint sales_quote_mails_check CHECK (((mails >= 0) AND (mails <= 10))),
  constraint sales_quote_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint sales_quote_note_check CHECK ((length(note) <= 1000)),
  constraint sales_quote_phone_check CHECK ((phone ~ '^\d{10}$'::text)),
  constraint sales_quote_position_check CHECK ((("position" >= 1) AND ("position" <= 10))),
  constraint sales_quote_price_label_check CHECK ((price_label = ANY (ARRAY['Retail'::text, 'Retail Member'::text, 'EPP'::text, 'Fleet'::text, 'Partner Program'::text, 'Sales Tool'::text, 'Special Order'::text, 'WholeSale'::text]))),
  constraint sales_quote_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'needs-approval'::text, 'sent'::text, 'delivered'::text, 'bounced'::text, 'opened'::text, 'ordered'::text, 'expired'::text, 'withdrawn'::text, 'replaced'::text]))),
  constraint sales_quote_suggested_slot_check CHECK ((suggested_slot ~ '^(\d{4}-\d\d-\d\dT[\d:.]{5,18}Z|\d{4}-\d\d-\d\d\|(AM|PM|EVE))$'::text)),
  constraint sales_quote_total_cents_check CHECK ((total_cents > 0)),
  constraint sales_quote_us_state_check CHECK ((us_state ~ '^[A-Z]{2}$'::text)),
  constraint sales_quote_version_check CHECK (((version >= 1) AND (version <= 100))),
  constraint sales_quote_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint sales_quote_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint sales_quote_author_account_id_fkey FOREIGN KEY (author_account_id) REFERENCES account(id),
  constraint sales_quote_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint sales_quote_main_id_fkey FOREIGN KEY (main_id) REFERENCES sales_quote(id) ON DELETE CASCADE,
  constraint sales_quote_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint sales_quote_pickup_warehouse_id_fkey FOREIGN KEY (pickup_warehouse_id) REFERENCES warehouse(id),
  constraint sales_quote_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES sales_quote(id) ON DELETE SET NULL,
  constraint sales_quote_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX sales_quote_by_account ON sales_quote USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX sales_quote_by_author ON sales_quote USING btree (author_account_id, id) WHERE (author_account_id IS NOT NULL);
CREATE INDEX sales_quote_by_carrier_location ON sales_quote USING btree (carrier_location_id) WHERE (carrier_location_id IS NOT NULL);
CREATE INDEX sales_quote_by_email ON sales_quote USING btree (lower(email), id);
CREATE INDEX sales_quote_by_shop ON sales_quote USING btree (shop_id) WHERE (shop_id IS NOT NULL);
CREATE INDEX sales_quote_by_state ON sales_quote USING btree (state, id);
CREATE INDEX sales_quote_by_warehouse ON sales_quote USING btree (pickup_warehouse_id) WHERE (pickup_warehouse_id IS NOT NULL);
CREATE INDEX sales_quote_ending ON sales_quote USING btree (expires_at) WHERE (state = ANY (ARRAY['sent'::text, 'delivered'::text, 'bounced'::text, 'opened'::text]));
CREATE TRIGGER quote_moves BEFORE UPDATE ON sales_quote FOR EACH ROW EXECUTE FUNCTION quote_moves(); -- A quote moves along its states only. A sent quote stays as sent, except for a later last day.
CREATE CONSTRAINT TRIGGER quote_vehicles_together AFTER INSERT OR UPDATE ON sales_quote DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION quote_vehicles_together(); -- A quote is sent, extended, and ended as a whole; each vehicle is ordered separately.

-- What became of each quote, and by whom.
create table sales_quote_event (
  id bigint not null generated always as identity,
  quote_id bigint not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint sales_quote_event_pkey PRIMARY KEY (id),
  constraint sales_quote_event_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 254))),
  constraint sales_quote_event_note_check CHECK ((length(note) <= 500)),
  constraint sales_quote_event_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES sales_quote(id) ON DELETE CASCADE
);
CREATE INDEX sales_quote_event_by_quote ON sales_quote_event USING btree (quote_id, id);

-- The tires of a quote, each article at one price; fixed once the quote is sent.
create table sales_quote_line (
  quote_id bigint not null,
  item_id integer not null,
  axle text not null default 'all'::text,
  quantity smallint not null,
  unit_cents integer not null,
  cost_cents integer,
  coverage boolean not null default false,
  constraint sales_quote_line_pkey PRIMARY KEY (quote_id, item_id),
  constraint sales_quote_line_axle_check CHECK ((axle = ANY (ARRAY['all'::text, 'front'::text, 'rear'::text]))),
  constraint sales_quote_line_cost_cents_check CHECK ((cost_cents >= 0)),
  constraint sales_quote_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 40))),
  constraint sales_quote_line_unit_cents_check CHECK (((unit_cents >= 1) AND (unit_cents <= 1000000))),
  constraint sales_quote_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint sales_quote_line_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES sales_quote(id) ON DELETE CASCADE
);
CREATE INDEX sales_quote_line_by_item ON sales_quote_line USING btree (item_id);
CREATE TRIGGER quote_lines_fixed BEFORE INSERT OR DELETE OR UPDATE ON sales_quote_line FOR EACH ROW EXECUTE FUNCTION quote_lines_fixed(); -- The tires of a quote change in a draft alone.

-- The provider's last answer for a ZIP: what estimates rest on.
create table sales_tax_answer (
  zip text not null,
  state text not null,
  parts jsonb not null,
  answered_on date not null,
  constraint sales_tax_answer_pkey PRIMARY KEY (zip),
  constraint sales_tax_answer_state_check CHECK ((state ~ '^[A-Z]{2}$'::text)),
  constraint sales_tax_answer_zip_check CHECK ((zip ~ '^\d{5}$'::text))
);

-- Files of rates, kept with their rows until they are imported or another is uploaded.
create table sales_tax_import (
  id bigint not null generated always as identity,
  form_key uuid not null,
  file_name text not null,
  rows jsonb,
  row_count integer not null,
  states text[] not null,
  uploaded_at timestamp with time zone not null,
  uploaded_by text not null,
  imported_at timestamp with time zone,
  imported_by text,
  constraint sales_tax_import_pkey PRIMARY KEY (id),
  constraint sales_tax_import_form_key_key UNIQUE (form_key),
  constraint sales_tax_import_file_name_check CHECK (((char_length(file_name) >= 1) AND (char_length(file_name) <= 200))),
  constraint sales_tax_import_has_rows CHECK (((imported_at IS NOT NULL) OR (rows IS NOT NULL))),
  constraint sales_tax_import_is_whole CHECK (((imported_at IS NULL) = (imported_by IS NULL))),
  constraint sales_tax_import_row_count_check CHECK ((row_count > 0)),
  constraint sales_tax_import_states_check CHECK ((cardinality(states) > 0))
);

-- Rates of sales tax by ZIP with their parts, and by state where they replace the built-in ones.
create table sales_tax_rate (
  id bigint not null generated always as identity,
  state text not null,
  zip text,
  starts_on date not null,
  ends_on date,
  state_ppm integer not null,
  county text,
  county_ppm integer not null,
  city text,
  city_ppm integer not null,
  special_ppm integer not null,
  source text not null,
  constraint sales_tax_rate_pkey PRIMARY KEY (id),
  constraint sales_tax_rate_of_state_once EXCLUDE USING gist (state WITH =, daterange(starts_on, ends_on, '[]'::text) WITH &&) WHERE ((zip IS NULL)),
  constraint sales_tax_rate_of_zip_once EXCLUDE USING gist (zip WITH =, daterange(starts_on, ends_on, '[]'::text) WITH &&) WHERE ((zip IS NOT NULL)),
  constraint sales_tax_rate_check CHECK ((ends_on >= starts_on)),
  constraint sales_tax_rate_city_check CHECK (((char_length(city) >= 1) AND (char_length(city) <= 80))),
  constraint sales_tax_rate_city_ppm_check CHECK (((city_ppm >= 0) AND (city_ppm <= 300000))),
  constraint sales_tax_rate_county_check CHECK (((char_length(county) >= 1) AND (char_length(county) <= 80))),
  constraint sales_tax_rate_county_ppm_check CHECK (((county_ppm >= 0) AND (county_ppm <= 300000))),
  constraint sales_tax_rate_of_state_is_the_state_s CHECK (((zip IS NOT NULL) OR ((county_ppm = 0) AND (city_ppm = 0) AND (special_ppm = 0) AND (county IS NULL) AND (city IS NULL)))),
  constraint sales_tax_rate_source_check CHECK (((char_length(source) >= 1) AND (char_length(source) <= 200))),
  constraint sales_tax_rate_special_ppm_check CHECK (((special_ppm >= 0) AND (special_ppm <= 300000))),
  constraint sales_tax_rate_state_check CHECK ((state ~ '^[A-Z]{2}$'::text)),
  constraint sales_tax_rate_state_ppm_check CHECK (((state_ppm >= 0) AND (state_ppm <= 300000))),
  constraint sales_tax_rate_zip_check CHECK ((zip ~ '^\d{5}$'::text))
);
CREATE INDEX sales_tax_rate_by_state ON sales_tax_rate USING btree (state, zip, starts_on);

-- One row, written by each import and held by an order, so that no import comes between reading a rate and the order.
create table sales_tax_table (
  id integer not null,
  version integer not null,
  constraint sales_tax_table_pkey PRIMARY KEY (id),
  constraint sales_tax_table_id_check CHECK ((id = 1))
);

-- Cards that accounts had saved, by the provider's names for them. A removed one is forgotten after a while.
create table saved_card (
  id uuid not null,
  account_id uuid not null,
  provider_ref text not null,
  fingerprint text not null,
  brand text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  is_default boolean not null,
  consent_version text not null,
  consented_at timestamp with time zone not null,
  added_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint saved_card_pkey PRIMARY KEY (id),
  constraint saved_card_provider_ref_key UNIQUE (provider_ref),
  constraint saved_card_brand_check CHECK ((brand ~ '^[a-z_]{1,30}$'::text)),
  constraint saved_card_consent_version_check CHECK (((length(consent_version) >= 1) AND (length(consent_version) <= 20))),
  constraint saved_card_exp_month_check CHECK (((exp_month >= 1) AND (exp_month <= 12))),
  constraint saved_card_exp_year_check CHECK (((exp_year >= 2000) AND (exp_year <= 2199))),
  constraint saved_card_fingerprint_check CHECK (((length(fingerprint) >= 1) AND (length(fingerprint) <= 255))),
  constraint saved_card_last4_check CHECK ((last4 ~ '^[0-9]{4}$'::text)),
  constraint saved_card_provider_ref_check CHECK (((length(provider_ref) >= 1) AND (length(provider_ref) <= 255))),
  constraint saved_card_removed_is_no_default CHECK (((removed_at IS NULL) OR (NOT is_default))),
  constraint saved_card_account_id_fkey FOREIGN KEY (account_id) REFERENCES payment_customer(account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_card_once ON saved_card USING btree (account_id, fingerprint) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX saved_card_one_default ON saved_card USING btree (account_id) WHERE is_default;
CREATE INDEX saved_card_removed ON saved_card USING btree (removed_at) WHERE (removed_at IS NOT NULL);

-- Filters of an office list that a staff member keeps under a name, for themselves or for everyone who may read the list.
create table saved_view (
  id uuid not null,
  issuer text not null,
  subject text not null,
  saved_by text not null,
  list text not null,
  name text not null,
  query text not null,
  is_shared boolean not null default false,
  saved_at timestamp with time zone not null,
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_list_check CHECK ((list ~ '^[a-z][a-z-]{0,39}$'::text)),
  constraint saved_view_name_check CHECK (((name = btrim(name)) AND ((char_length(name) >= 1) AND (char_length(name) <= 40)))),
  constraint saved_view_query_check CHECK (((length(query) >= 1) AND (length(query) <= 1000))),
  constraint saved_view_saved_by_check CHECK (((length(saved_by) >= 1) AND (length(saved_by) <= 254))),
  constraint saved_view_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);
CREATE UNIQUE INDEX saved_view_named_once ON saved_view USING btree (issuer, subject, list, lower(name));
CREATE INDEX saved_view_shared ON saved_view USING btree (list, saved_at) WHERE is_shared;

-- Each time a provider was tried for the store setup, and what came of it; the newest of a kind applies.
create table setup_check (
  id uuid not null,
  kind text not null,
  started_at timestamp with time zone not null,
  passed boolean, -- Null while the page of a test charge is open, or a test label is not voided yet.
  words text not null, -- What was checked or what failed, in one sentence for staff. Without data of customers.
  checked_by text not null,
  hosted_ref text, -- The provider’s page on which a test charge is paid, or the carrier’s parcel of a test label.
  provider text, -- Identifies the provider account, as a hash of its address with its key or user; null for checks without one, and from earlier releases.
  constraint setup_check_pkey PRIMARY KEY (id),
  constraint setup_check_checked_by_check CHECK (((length(checked_by) >= 1) AND (length(checked_by) <= 254))),
  constraint setup_check_hosted_ref_check CHECK (((length(hosted_ref) >= 1) AND (length(hosted_ref) <= 255))),
  constraint setup_check_kind_check CHECK ((kind = ANY (ARRAY['payments'::text, 'email'::text, 'carrier'::text, 'opening'::text, 'email-domain'::text]))),
  constraint setup_check_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 64))),
  constraint setup_check_waits_for_a_provider CHECK (((passed IS NOT NULL) OR (kind = ANY (ARRAY['payments'::text, 'carrier'::text])))),
  constraint setup_check_words_check CHECK (((length(words) >= 1) AND (length(words) <= 300)))
);
CREATE INDEX setup_check_newest ON setup_check USING btree (kind, started_at DESC, id DESC);

-- Parcels of an order, one from each warehouse, with the promised day.
create table shipment (
  id uuid not null,
  order_id bigint not null,
  warehouse_id smallint not null,
  state text not null,
  carrier text,
  tracking_number text,
  promised_on date not null,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone not null,
  carrier_ref text,
  expected_on date,
  expected_as_of timestamp with time zone,
  held_since timestamp with time zone, -- Since when it waits at a pickup location for its receiver; null before, and where nothing is kept.
  tracking_url text, -- Where its carrier shows how far it is; null where that is not known.
  ship_by timestamp with time zone, -- When it has to leave its warehouse, or be ready for pickup there, as promised; null for orders placed before this was stored.
  constraint shipment_pkey PRIMARY KEY (id),
  constraint shipment_carrier_ref_key UNIQUE (carrier_ref),
  constraint shipment_tracking_number_key UNIQUE (tracking_number),
  constraint shipment_carrier_ref_check CHECK (((length(carrier_ref) >= 1) AND (length(carrier_ref) <= 100))),
  constraint shipment_check CHECK ((((state = 'delivered'::text) = (delivered_at IS NOT NULL)) OR (state = 'returned'::text))),
  constraint shipment_expected_with_time CHECK (((expected_on IS NULL) OR (expected_as_of IS NOT NULL))),
  constraint shipment_state_check CHECK ((state = ANY (ARRAY['processed'::text, 'pending-pickup'::text, 'in-transit'::text, 'delivered'::text, 'canceled'::text, 'returned'::text]))),
  constraint shipment_tracked_once_sent CHECK (((state = ANY (ARRAY['processed'::text, 'canceled'::text])) OR (tracking_number IS NOT NULL))),
  constraint shipment_tracking_url_check CHECK (((tracking_url ~ '^https?://'::text) AND (length(tracking_url) <= 500))),
  constraint shipment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint shipment_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX shipment_by_delivery ON shipment USING btree (delivered_at, order_id) WHERE (state = 'delivered'::text);
CREATE INDEX shipment_by_order ON shipment USING btree (order_id, warehouse_id);
CREATE INDEX shipment_by_promise ON shipment USING btree (promised_on);
CREATE INDEX shipment_by_tracking_end ON shipment USING btree (reverse(lower(tracking_number)) text_pattern_ops) WHERE (tracking_number IS NOT NULL);
CREATE INDEX shipment_on_its_way ON shipment USING btree (promised_on, id) WHERE (state = ANY (ARRAY['processed'::text, 'pending-pickup'::text, 'in-transit'::text]));
CREATE INDEX shipment_on_the_shelf ON shipment USING btree (order_id, warehouse_id) WHERE (state = ANY (ARRAY['processed'::text, 'pending-pickup'::text]));
CREATE UNIQUE INDEX shipment_one_per_warehouse ON shipment USING btree (order_id, warehouse_id) WHERE (state <> 'canceled'::text);
CREATE INDEX shipment_to_pack ON shipment USING btree (warehouse_id, id) WHERE (state = ANY (ARRAY['processed'::text, 'pending-pickup'::text]));
CREATE INDEX shipment_underway ON shipment USING btree (order_id, state, promised_on) WHERE (state = ANY (ARRAY['processed'::text, 'pending-pickup'::text, 'in-transit'::text]));
CREATE TRIGGER shipment_life BEFORE UPDATE OF state ON shipment FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION shipment_moves_by_its_life(); -- A parcel moves as shipment_may_move says.

-- Every change of a parcel, with who and when.
create table shipment_event (
  id bigint not null generated always as identity,
  shipment_id uuid not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint shipment_event_pkey PRIMARY KEY (id),
  constraint shipment_event_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id) ON DELETE CASCADE
);
CREATE INDEX shipment_event_by_shipment ON shipment_event USING btree (shipment_id);
CREATE CONSTRAINT TRIGGER webhooks_of_shipment_event AFTER INSERT ON shipment_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.to_state = ANY (ARRAY['in-transit'::text, 'delivered'::text]))) EXECUTE FUNCTION tell_of_shipment_event(); -- Endpoints are told of parcels that ship and arrive.

-- The label that was bought for a parcel; a parcel never has two.
create table shipment_label (
  shipment_id uuid not null,
  carrier text not null,
  tracking_number text not null,
  cost_cents integer not null, -- The rate that the carrier charged, in cents.
  ship_to jsonb, -- The address on the label; null once its customer is erased.
  bought_at timestamp with time zone not null,
  bought_by text not null,
  voided_at timestamp with time zone, -- When the carrier agreed to refund it unused.
  void_requested_at timestamp with time zone, -- When its refund was requested of the carrier; null again if the carrier refused.
  constraint shipment_label_pkey PRIMARY KEY (shipment_id),
  constraint shipment_label_tracking_number_key UNIQUE (tracking_number),
  constraint shipment_label_bought_by_check CHECK (((length(bought_by) >= 1) AND (length(bought_by) <= 300))),
  constraint shipment_label_carrier_check CHECK (((length(carrier) >= 1) AND (length(carrier) <= 100))),
  constraint shipment_label_check CHECK ((voided_at >= bought_at)),
  constraint shipment_label_cost_cents_check CHECK ((cost_cents >= 0)),
  constraint shipment_label_ship_to_check CHECK ((jsonb_typeof(ship_to) = 'object'::text)),
  constraint shipment_label_tracking_number_check CHECK (((length(tracking_number) >= 1) AND (length(tracking_number) <= 100))),
  constraint shipment_label_void_requested CHECK ((void_requested_at >= bought_at)),
  constraint shipment_label_voided_on_request CHECK (((voided_at IS NULL) OR (void_requested_at IS NOT NULL))),
  constraint shipment_label_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id) ON DELETE CASCADE
);
CREATE TRIGGER shipment_label_on_manifest_is_not_voided BEFORE UPDATE OF void_requested_at, voided_at ON shipment_label FOR EACH ROW WHEN ((new.void_requested_at IS NOT NULL)) EXECUTE FUNCTION shipment_label_on_manifest_is_not_voided(); -- A label on a manifest is not voided.

-- A label of 4 by 6 inches as the carrier made it, to be printed.
create table shipment_label_file (
  shipment_id uuid not null,
  format text not null,
  file_key uuid not null,
  constraint shipment_label_file_pkey PRIMARY KEY (shipment_id, format),
  constraint shipment_label_file_file_key_key UNIQUE (file_key),
  constraint shipment_label_file_format_check CHECK ((format = ANY (ARRAY['pdf'::text, 'zpl'::text]))),
  constraint shipment_label_file_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint shipment_label_file_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment_label(shipment_id) ON DELETE CASCADE
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON shipment_label_file FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Shipping zones of states and ZIP codes, and exceptions, one row per change; the newest applies. A whole plan per row, because an order needs the plan of the time it was placed.
create table shipping_plan (
  id bigint not null generated always as identity,
  plan jsonb not null,
  valid_from timestamp with time zone not null,
  set_by text not null,
  constraint shipping_plan_pkey PRIMARY KEY (id),
  constraint shipping_plan_bounded CHECK (((jsonb_array_length((plan -> 'zones'::text)) <= 20) AND (jsonb_array_length((plan -> 'exceptions'::text)) <= 50))),
  constraint shipping_plan_form CHECK (((jsonb_typeof(plan) = 'object'::text) AND COALESCE(((jsonb_typeof((plan -> 'zones'::text)) = 'array'::text) AND (jsonb_typeof((plan -> 'exceptions'::text)) = 'array'::text)), false))),
  constraint shipping_plan_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 254))),
  constraint shipping_plan_state_once CHECK (shipping_zones_are_apart(plan)), -- A state has one rate, so it is in one zone.
  constraint shipping_plan_zip_once CHECK (shipping_zips_are_apart(plan)) -- Ranges with the same number of digits are in one zone, so that the most exact one is certain.
);
CREATE TRIGGER shipping_plan_append_only BEFORE DELETE OR UPDATE ON shipping_plan FOR EACH ROW EXECUTE FUNCTION shipping_plan_is_added_to();
CREATE TRIGGER shipping_plan_not_emptied BEFORE TRUNCATE ON shipping_plan FOR EACH STATEMENT EXECUTE FUNCTION shipping_plan_is_added_to();
CREATE TRIGGER shipping_plan_raises_version AFTER INSERT ON shipping_plan FOR EACH STATEMENT EXECUTE FUNCTION business_term_raises_version();

-- Installers: shops and vans, with hours' clock, skills and terms.
create table shop (
  id integer not null generated always as identity,
  code text not null,
  slug text not null,
  name text not null,
  kind text not null,
  street text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  phone text not null,
  amenities text[] not null default '{}'::text[],
  rating_tenths smallint,
  rating_count integer not null,
  on_time_percent smallint,
  rim_min_in numeric(4,1) not null default 12,
  rim_max_in numeric(4,1) not null default 22,
  aspect_min smallint not null default 35,
  takes_run_flat boolean not null default true,
  takes_light_truck boolean not null default true,
  receiving_minutes integer not null default 60,
  active boolean not null default true,
  in_set_up boolean not null default false, -- Approved, and its owner has yet to complete hours, bays, prices and job lengths; never shown to shoppers.
  star_tenths_sum integer,
  on_time_count integer,
  version integer not null default 1, -- Rises with each change of the profile or status, so that a form can tell that it is out of date.
  status text not null default 'open'::text, -- Suspended and closed shops take no bookings and are offered nowhere.
  status_reason text,
  paused daterange, -- Days on which the shop takes no new bookings; appointments that were kept stay. A pause without a last day ends on 9999-12-31.
  pause_reason text,
  email text,
  website text,
  about text,
  services text[] not null default '{}'::text[], -- Tire services and other services, as in an application.
  last_day date, -- The last day with bookings of a shop that closes. It stays set once the shop is closed.
  closing_reason text,
  closing_set_at timestamp with time zone,
  constraint shop_pkey PRIMARY KEY (id),
  constraint shop_code_key UNIQUE (code),
  constraint shop_about_check CHECK (((length(about) >= 1) AND (length(about) <= 1000))),
  constraint shop_check CHECK ((rim_min_in <= rim_max_in)),
  constraint shop_closing_reason_check CHECK (((length(closing_reason) >= 1) AND (length(closing_reason) <= 200))),
  constraint shop_closing_whole CHECK ((((last_day IS NULL) = (closing_reason IS NULL)) AND ((last_day IS NULL) = (closing_set_at IS NULL)))),
  constraint shop_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint shop_in_set_up_is_not_offered CHECK ((NOT (active AND in_set_up))),
  constraint shop_kind_check CHECK ((kind = ANY (ARRAY['shop'::text, 'van'::text]))),
  constraint shop_offered_while_open CHECK (((NOT active) OR (status = 'open'::text))),
  constraint shop_on_time_count_check CHECK ((on_time_count >= 0)),
  constraint shop_on_time_percent_check CHECK (((on_time_percent >= 0) AND (on_time_percent <= 100))),
  constraint shop_pause_reason_check CHECK (((length(pause_reason) >= 1) AND (length(pause_reason) <= 500))),
  constraint shop_pause_says_why CHECK (((paused IS NULL) = (pause_reason IS NULL))),
  constraint shop_paused_check CHECK (((isempty(paused) IS NOT TRUE) AND (lower_inf(paused) IS NOT TRUE) AND (upper_inf(paused) IS NOT TRUE))),
  constraint shop_paused_while_open CHECK (((paused IS NULL) OR (status = 'open'::text))),
  constraint shop_rated_or_not CHECK (((rating_count = 0) = (rating_tenths IS NULL))),
  constraint shop_rating_count_check CHECK ((rating_count >= 0)),
  constraint shop_rating_tenths_check CHECK (((rating_tenths >= 10) AND (rating_tenths <= 50))),
  constraint shop_receiving_minutes_check CHECK ((receiving_minutes >= 0)),
  constraint shop_services_check CHECK ((cardinality(services) <= 20)),
  constraint shop_star_tenths_sum_check CHECK ((star_tenths_sum >= 0)),
  constraint shop_status_check CHECK ((status = ANY (ARRAY['open'::text, 'suspended'::text, 'closed'::text]))),
  constraint shop_status_reason_check CHECK (((length(status_reason) >= 1) AND (length(status_reason) <= 500))),
  constraint shop_status_says_why CHECK (((status = 'open'::text) = (status_reason IS NULL))),
  constraint shop_suspended_without_last_day CHECK (((last_day IS NULL) OR (status <> 'suspended'::text))),
  constraint shop_version_check CHECK ((version >= 1)),
  constraint shop_website_check CHECK ((length(website) <= 200)),
  constraint shop_within_agreement CHECK (((rim_min_in >= (12)::numeric) AND (rim_max_in <= (22)::numeric) AND (aspect_min >= 35))) -- A shop takes no rim and aspect ratio outside of the installer agreement.
);
CREATE INDEX shop_by_last_day ON shop USING btree (last_day, id) WHERE ((last_day IS NOT NULL) AND (status = 'open'::text));
CREATE INDEX shop_by_name ON shop USING btree (lower(name) text_pattern_ops);
CREATE INDEX shop_by_name_part ON shop USING gin (lower(((name || ' '::text) || city)) gin_trgm_ops);
CREATE INDEX shop_by_phone_end ON shop USING btree ("right"(phone, 4));
CREATE INDEX shop_by_place ON shop USING btree (latitude, longitude) WHERE active;
CREATE INDEX shop_by_state ON shop USING btree (state, city) WHERE active;
CREATE INDEX shop_by_status ON shop USING btree (status, id) WHERE (status <> 'open'::text);
CREATE INDEX shop_by_word ON shop USING gin (string_to_array(lower(((name || ' '::text) || city)), ' '::text));
CREATE INDEX shop_by_zip ON shop USING btree (zip);
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
CREATE TRIGGER shop_closes_decided BEFORE UPDATE OF status ON shop FOR EACH ROW WHEN (((new.status = 'closed'::text) AND (old.status <> 'closed'::text) AND (new.last_day IS NOT NULL))) EXECUTE FUNCTION shop_closes_decided(); -- A shop with a last day closes once each later appointment is decided.
CREATE TRIGGER shop_has_capacity AFTER INSERT ON shop REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION give_shop_capacity();
CREATE CONSTRAINT TRIGGER webhooks_of_changed_shop AFTER UPDATE ON shop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.in_set_up IS DISTINCT FROM new.in_set_up)) OR (old.paused IS DISTINCT FROM new.paused))) EXECUTE FUNCTION write_shop_changed(); -- Endpoints are sent shops that open, pause and close.
CREATE CONSTRAINT TRIGGER webhooks_of_new_shop AFTER INSERT ON shop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = 'open'::text) AND (NOT new.in_set_up))) EXECUTE FUNCTION write_shop_changed(); -- Endpoints are sent shops that open.
CREATE CONSTRAINT TRIGGER webhooks_of_shop_profile AFTER UPDATE ON shop DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((NOT new.in_set_up) AND (((((((((((old.name IS DISTINCT FROM new.name) OR (old.street IS DISTINCT FROM new.street)) OR (old.city IS DISTINCT FROM new.city)) OR (old.state IS DISTINCT FROM new.state)) OR (old.zip IS DISTINCT FROM new.zip)) OR (old.phone IS DISTINCT FROM new.phone)) OR (old.email IS DISTINCT FROM new.email)) OR (old.website IS DISTINCT FROM new.website)) OR (old.about IS DISTINCT FROM new.about)) OR (old.services IS DISTINCT FROM new.services)) OR (old.amenities IS DISTINCT FROM new.amenities)))) EXECUTE FUNCTION write_shop_profile_changed(); -- Endpoints are sent shops with another name, address, contact, description or services.

-- Shops that asked to install tires, until the office approves or refuses them.
create table shop_application (
  id bigint not null generated always as identity,
  state text not null default 'submitted'::text,
  company text not null,
  street text not null,
  city text not null,
  us_state text not null,
  zip text not null,
  shop_phone text not null,
  website text,
  owner_first_name text not null,
  owner_last_name text not null,
  owner_email text not null,
  owner_phone text not null,
  lead_first_name text not null,
  lead_last_name text not null,
  lead_email text not null,
  lead_phone text not null,
  tire_services text[] not null,
  other_services text[] not null,
  hours jsonb not null,
  agreement_version text not null,
  said bytea not null,
  network_key text,
  submitted_at timestamp with time zone not null,
  waiting_since timestamp with time zone not null,
  question text,
  refusal text,
  closed_at timestamp with time zone,
  closed_by text,
  shop_id integer,
  constraint shop_application_pkey PRIMARY KEY (id),
  constraint shop_application_shop_id_key UNIQUE (shop_id),
  constraint shop_application_agreement_version_check CHECK ((agreement_version ~ '^\d{4}-\d{2}$'::text)),
  constraint shop_application_approved_has_shop CHECK (((state = 'approved'::text) = (shop_id IS NOT NULL))),
  constraint shop_application_asked_what CHECK (((state = 'asked'::text) = (question IS NOT NULL))),
  constraint shop_application_city_check CHECK (((length(city) >= 1) AND (length(city) <= 60))),
  constraint shop_application_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 254))),
  constraint shop_application_closed_whole CHECK ((((state = ANY (ARRAY['submitted'::text, 'asked'::text])) = (closed_at IS NULL)) AND ((closed_at IS NULL) = (closed_by IS NULL)))),
  constraint shop_application_company_check CHECK (((length(company) >= 1) AND (length(company) <= 80))),
  constraint shop_application_hours_check CHECK (((jsonb_typeof(hours) = 'array'::text) AND ((jsonb_array_length(hours) >= 1) AND (jsonb_array_length(hours) <= 7)))),
  constraint shop_application_lead_email_check CHECK (((lead_email = lower(lead_email)) AND ((length(lead_email) >= 3) AND (length(lead_email) <= 254)))),
  constraint shop_application_lead_first_name_check CHECK (((length(lead_first_name) >= 1) AND (length(lead_first_name) <= 25))),
  constraint shop_application_lead_last_name_check CHECK (((length(lead_last_name) >= 1) AND (length(lead_last_name) <= 25))),
  constraint shop_application_lead_phone_check CHECK ((lead_phone ~ '^\d{10}$'::text)),
  constraint shop_application_network_forgotten CHECK (((state = ANY (ARRAY['submitted'::text, 'asked'::text])) OR (network_key IS NULL))),
  constraint shop_application_other_services_check CHECK ((cardinality(other_services) <= 20)),
  constraint shop_application_owner_email_check CHECK (((owner_email = lower(owner_email)) AND ((length(owner_email) >= 3) AND (length(owner_email) <= 254)))),
  constraint shop_application_owner_first_name_check CHECK (((length(owner_first_name) >= 1) AND (length(owner_first_name) <= 25))),
  constraint shop_application_owner_last_name_check CHECK (((length(owner_last_name) >= 1) AND (length(owner_last_name) <= 25))),
  constraint shop_application_owner_phone_check CHECK ((owner_phone ~ '^\d{10}$'::text)),
  constraint shop_application_question_check CHECK (((length(question) >= 1) AND (length(question) <= 1000))),
  constraint shop_application_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 1000))),
  constraint shop_application_refused_says_why CHECK (((state = 'refused'::text) = (refusal IS NOT NULL))),
  constraint shop_application_said_check CHECK ((octet_length(said) = 32)),
  constraint shop_application_shop_phone_check CHECK ((shop_phone ~ '^\d{10}$'::text)),
  constraint shop_application_state_check CHECK ((state = ANY (ARRAY['submitted'::text, 'asked'::text, 'approved'::text, 'refused'::text, 'withdrawn'::text]))),
  constraint shop_application_street_check CHECK (((length(street) >= 1) AND (length(street) <= 100))),
  constraint shop_application_tire_services_check CHECK ((cardinality(tire_services) <= 20)),
  constraint shop_application_us_state_check CHECK ((us_state ~ '^[A-Z]{2}$'::text)),
  constraint shop_application_website_check CHECK (((length(website) >= 1) AND (length(website) <= 200))),
  constraint shop_application_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint shop_application_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);
CREATE INDEX shop_application_by_network ON shop_application USING btree (network_key, submitted_at) WHERE (network_key IS NOT NULL);
CREATE INDEX shop_application_by_state ON shop_application USING btree (state, id);
CREATE INDEX shop_application_by_wait ON shop_application USING btree (waiting_since, id) WHERE (state = 'submitted'::text);
CREATE INDEX shop_application_by_zip ON shop_application USING btree (zip);
CREATE UNIQUE INDEX shop_application_once ON shop_application USING btree (owner_email, lower(street), zip) WHERE (state = ANY (ARRAY['submitted'::text, 'asked'::text]));
CREATE TRIGGER shop_application_life BEFORE UPDATE OF state ON shop_application FOR EACH ROW EXECUTE FUNCTION shop_application_moves(); -- An application moves along its states only.

-- What became of each application of a shop, with questions and answers.
create table shop_application_event (
  id bigint not null generated always as identity,
  application_id bigint not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint shop_application_event_pkey PRIMARY KEY (id),
  constraint shop_application_event_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 254))),
  constraint shop_application_event_note_check CHECK ((length(note) <= 2000)),
  constraint shop_application_event_application_id_fkey FOREIGN KEY (application_id) REFERENCES shop_application(id) ON DELETE CASCADE
);
CREATE INDEX shop_application_event_by_application ON shop_application_event USING btree (application_id, id);

-- Pictures of shops, re-encoded as WebP.
create table shop_application_picture (
  id uuid not null,
  application_id bigint,
  name text not null,
  at timestamp with time zone not null,
  file_key uuid not null,
  constraint shop_application_picture_pkey PRIMARY KEY (id),
  constraint shop_application_picture_application_id_key UNIQUE (application_id),
  constraint shop_application_picture_file UNIQUE (file_key),
  constraint shop_application_picture_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint shop_application_picture_application_id_fkey FOREIGN KEY (application_id) REFERENCES shop_application(id) ON DELETE CASCADE,
  constraint shop_application_picture_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key)
);
CREATE INDEX shop_application_picture_unsent ON shop_application_picture USING btree (at) WHERE (application_id IS NULL);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON shop_application_picture FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Places in a shop that lift one car at a time.
create table shop_bay (
  id integer not null generated always as identity,
  shop_id integer not null,
  kind text not null,
  number smallint not null,
  days datemultirange not null default '{(,)}'::datemultirange, -- The days on which it is used; a bay that had bookings stays, without days to come.
  constraint shop_bay_pkey PRIMARY KEY (id),
  constraint shop_bay_shop_id_id_key UNIQUE (shop_id, id),
  constraint shop_bay_shop_id_kind_number_key UNIQUE (shop_id, kind, number),
  constraint shop_bay_kind_check CHECK ((kind = ANY (ARRAY['bay'::text, 'drop-off'::text]))),
  constraint shop_bay_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_bay REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_bay REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_bay REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();

-- A number for each shop that every change of its calendar raises, so that kept calendars know when they are old.
create table shop_calendar (
  shop_id integer not null,
  version bigint not null default 1,
  constraint shop_calendar_pkey PRIMARY KEY (shop_id),
  constraint shop_calendar_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);

-- Changes that found the number of a calendar in another transaction's hands, and count with it.
create table shop_calendar_late (
  shop_id integer not null,
  id bigint not null generated always as identity,
  constraint shop_calendar_late_pkey PRIMARY KEY (shop_id, id),
  constraint shop_calendar_late_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop_calendar(shop_id) ON DELETE CASCADE
);

-- How much work a shop takes, in versions that each count on some days; every day has exactly one.
create table shop_capacity (
  shop_id integer not null,
  during daterange not null default '(,)'::daterange,
  slot_minutes smallint not null default 60,
  technicians smallint,
  buffer_minutes smallint not null default 0,
  lead_minutes smallint not null default 60,
  notice_minutes smallint not null default 60,
  walk_in_percent smallint not null default 0,
  drop_off_windows text[] not null default '{AM,PM,EVE}'::text[],
  made_by uuid,
  made_at timestamp with time zone,
  constraint shop_capacity_once_a_day PRIMARY KEY (shop_id, during WITHOUT OVERLAPS),
  constraint shop_capacity_buffer_minutes_check CHECK (((buffer_minutes >= 0) AND (buffer_minutes <= 60))),
  constraint shop_capacity_drop_off_windows_check CHECK ((drop_off_windows <@ '{AM,PM,EVE}'::text[])),
  constraint shop_capacity_during_check CHECK ((NOT isempty(during))),
  constraint shop_capacity_lead_minutes_check CHECK (((lead_minutes >= 0) AND (lead_minutes <= 2880))),
  constraint shop_capacity_notice_minutes_check CHECK (((notice_minutes >= 0) AND (notice_minutes <= 2880))),
  constraint shop_capacity_slot_minutes_check CHECK (((slot_minutes >= 15) AND (slot_minutes <= 240))),
  constraint shop_capacity_technicians_check CHECK (((technicians >= 1) AND (technicians <= 20))),
  constraint shop_capacity_walk_in_percent_check CHECK (((walk_in_percent >= 0) AND (walk_in_percent <= 80))),
  constraint shop_capacity_made_by_fkey FOREIGN KEY (made_by) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_capacity_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_capacity_by_member ON shop_capacity USING btree (made_by) WHERE (made_by IS NOT NULL);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_capacity REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_capacity REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_capacity REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE CONSTRAINT TRIGGER shop_capacity_every_day AFTER INSERT OR DELETE OR UPDATE ON shop_capacity DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_capacity_every_day();

-- Which shops are certified for repairs, from when to when, on what evidence, and what was revoked.
create table shop_certification (
  id integer not null generated always as identity,
  shop_id integer not null,
  during daterange not null,
  warranty_months smallint not null,
  warranty_miles integer not null,
  evidence text not null,
  granted_by text not null,
  granted_at timestamp with time zone not null,
  revoked_by text,
  revoked_at timestamp with time zone,
  revoked_for text,
  constraint shop_certification_pkey PRIMARY KEY (id),
  constraint shop_certified_once EXCLUDE USING gist (shop_id WITH =, during WITH &&) WHERE ((revoked_at IS NULL)),
  constraint certification_revoked_whole CHECK ((num_nonnulls(revoked_by, revoked_at, revoked_for) = ANY (ARRAY[0, 3]))),
  constraint shop_certification_during_check CHECK (((lower(during) IS NOT NULL) AND (upper(during) > lower(during)) AND (upper(during) <= (lower(during) + '1 year'::interval)))),
  constraint shop_certification_evidence_check CHECK (((length(evidence) >= 10) AND (length(evidence) <= 500))),
  constraint shop_certification_granted_by_check CHECK (((length(granted_by) >= 1) AND (length(granted_by) <= 100))),
  constraint shop_certification_revoked_by_check CHECK (((length(revoked_by) >= 1) AND (length(revoked_by) <= 100))),
  constraint shop_certification_revoked_for_check CHECK (((length(revoked_for) >= 1) AND (length(revoked_for) <= 500))),
  constraint shop_certification_warranty_miles_check CHECK (((warranty_miles >= 12000) AND (warranty_miles <= 200000))),
  constraint shop_certification_warranty_months_check CHECK (((warranty_months >= 12) AND (warranty_months <= 120))),
  constraint shop_certification_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_certification_by_end ON shop_certification USING btree (upper(during), id) WHERE (revoked_at IS NULL);

-- Days and parts of days on which a shop is closed.
create table shop_closure (
  shop_id integer not null,
  closed_on date not null,
  reason text not null,
  constraint shop_closure_pkey PRIMARY KEY (shop_id, closed_on),
  constraint shop_closure_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_closure REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_closure REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_closure REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();

-- Replaced by shop_notification. The release before still reads it; dropped in a later one.
create table shop_email_subscription (
  member_id uuid not null,
  kind text not null,
  subscribed_at timestamp with time zone not null,
  constraint shop_email_subscription_pkey PRIMARY KEY (member_id, kind),
  constraint shop_email_subscription_kind_check CHECK ((kind = ANY (ARRAY['shop-booking-news'::text, 'shop-appointment-news'::text]))),
  constraint shop_email_subscription_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE CASCADE
);

-- Who of a shop's people changed its capacity, prices and people, and when.
create table shop_event (
  id bigint not null generated always as identity,
  shop_id integer not null,
  at timestamp with time zone not null,
  member_id uuid,
  act text not null,
  about_id uuid,
  note text not null,
  constraint shop_event_pkey PRIMARY KEY (id),
  constraint shop_event_act_check CHECK ((act = ANY (ARRAY['capacity'::text, 'capacity-withdrawn'::text, 'closed-day'::text, 'opened-day'::text, 'prices'::text, 'prices-withdrawn'::text, 'invited'::text, 'role'::text, 'ended'::text, 'area'::text, 'profile'::text, 'profile-requested'::text, 'profile-approved'::text, 'profile-declined'::text]))),
  constraint shop_event_note_check CHECK ((length(note) <= 200)),
  constraint shop_event_about_id_fkey FOREIGN KEY (about_id) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_event_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_event_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_event_about ON shop_event USING btree (about_id) WHERE (about_id IS NOT NULL);
CREATE INDEX shop_event_by_member ON shop_event USING btree (member_id) WHERE (member_id IS NOT NULL);
CREATE INDEX shop_event_by_shop ON shop_event USING btree (shop_id, id);

-- The secret address at which a shop's calendar is read; making a new one ends the old.
create table shop_feed (
  shop_id integer not null,
  secret_hash bytea not null,
  made_at timestamp with time zone not null,
  made_by uuid not null,
  constraint shop_feed_pkey PRIMARY KEY (shop_id),
  constraint shop_feed_secret_hash_key UNIQUE (secret_hash),
  constraint shop_feed_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint shop_feed_made_by_fkey FOREIGN KEY (made_by) REFERENCES shop_member(id) ON DELETE CASCADE,
  constraint shop_feed_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_feed_by_member ON shop_feed USING btree (made_by);

-- Opening hours by weekday, on the shop's clock.
create table shop_hours (
  shop_id integer not null,
  weekday smallint not null,
  opens time without time zone not null,
  closes time without time zone not null,
  during daterange not null default '(,)'::daterange,
  lunch_from time without time zone,
  lunch_to time without time zone,
  constraint shop_hours_once_a_day PRIMARY KEY (shop_id, weekday, during WITHOUT OVERLAPS),
  constraint shop_hours_check CHECK ((opens < closes)),
  constraint shop_hours_during_check CHECK ((NOT isempty(during))),
  constraint shop_hours_lunch_within CHECK ((((lunch_from IS NULL) = (lunch_to IS NULL)) AND ((lunch_from IS NULL) OR ((opens < lunch_from) AND (lunch_from < lunch_to) AND (lunch_to < closes))))),
  constraint shop_hours_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7))),
  constraint shop_hours_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_hours REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_hours REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_hours REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();

-- Who signs in to the portal of a shop, and as what; staff of the store are there for what they change in its name.
create table shop_member (
  id uuid not null,
  shop_id integer not null,
  email text not null,
  name text not null,
  role text not null,
  added_at timestamp with time zone not null,
  added_by text not null,
  issuer text,
  subject text,
  bound_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint shop_member_pkey PRIMARY KEY (id),
  constraint shop_member_added_by_check CHECK (((length(added_by) >= 1) AND (length(added_by) <= 254))),
  constraint shop_member_bound_whole CHECK ((num_nonnulls(issuer, subject, bound_at) = ANY (ARRAY[0, 3]))),
  constraint shop_member_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint shop_member_ends_later CHECK ((ended_at >= added_at)),
  constraint shop_member_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint shop_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'technician'::text, 'staff'::text]))),
  constraint shop_member_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint shop_member_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_member_of_person ON shop_member USING btree (issuer, subject) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX shop_member_once ON shop_member USING btree (shop_id, email, ((role = 'staff'::text))) WHERE (ended_at IS NULL);

-- The phone and the hour of the daily summary that each member of a shop chose.
create table shop_member_setting (
  member_id uuid not null,
  text_phone text,
  summary_hour smallint,
  summary_since timestamp with time zone,
  constraint shop_member_setting_pkey PRIMARY KEY (member_id),
  constraint shop_member_setting_summary_hour_check CHECK (((summary_hour >= 0) AND (summary_hour <= 23))),
  constraint shop_member_setting_summary_whole CHECK (((summary_hour IS NULL) = (summary_since IS NULL))),
  constraint shop_member_setting_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE CASCADE,
  constraint shop_member_setting_text_phone_fkey FOREIGN KEY (text_phone) REFERENCES text_consent(phone)
);
CREATE INDEX shop_member_setting_by_phone ON shop_member_setting USING btree (text_phone) WHERE (text_phone IS NOT NULL);

-- Which events each member of a shop is emailed and texted about, where they chose.
create table shop_notification (
  member_id uuid not null,
  event text not null,
  channel text not null,
  is_wanted boolean not null,
  chosen_at timestamp with time zone not null,
  constraint shop_notification_pkey PRIMARY KEY (member_id, event, channel),
  constraint shop_notification_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'text'::text]))),
  constraint shop_notification_event_check CHECK ((event = ANY (ARRAY['booked'::text, 'changed'::text, 'canceled'::text, 'late'::text]))),
  constraint shop_notification_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE CASCADE
);

-- The price lists and job lengths of a shop, each on the days on which jobs are quoted by it.
create table shop_price_list (
  shop_id integer not null,
  during daterange not null default '(,)'::daterange,
  take_in_minutes smallint not null default 10,
  sensor_minutes smallint not null default 0,
  dual_minutes smallint not null default 0,
  made_by uuid,
  made_at timestamp with time zone,
  alignment_minutes smallint not null default 60, -- More for a job of the shop's own that has a wheel alignment.
  constraint shop_price_list_once_a_day PRIMARY KEY (shop_id, during WITHOUT OVERLAPS),
  constraint shop_price_list_alignment_minutes_check CHECK (((alignment_minutes >= 15) AND (alignment_minutes <= 180))),
  constraint shop_price_list_dual_minutes_check CHECK (((dual_minutes >= 0) AND (dual_minutes <= 120))),
  constraint shop_price_list_during_check CHECK ((NOT isempty(during))),
  constraint shop_price_list_sensor_minutes_check CHECK (((sensor_minutes >= 0) AND (sensor_minutes <= 15))),
  constraint shop_price_list_take_in_minutes_check CHECK (((take_in_minutes >= 0) AND (take_in_minutes <= 60))),
  constraint shop_price_list_made_by_fkey FOREIGN KEY (made_by) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_price_list_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_price_list_by_member ON shop_price_list USING btree (made_by) WHERE (made_by IS NOT NULL);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_price_list REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_price_list REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_price_list REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE CONSTRAINT TRIGGER shop_price_list_every_day AFTER INSERT OR DELETE OR UPDATE ON shop_price_list DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_prices_every_day();
CREATE TRIGGER shop_price_list_locks_its_shop BEFORE INSERT OR DELETE OR UPDATE ON shop_price_list FOR EACH ROW EXECUTE FUNCTION lock_shop_of_rate();

-- Names and addresses that owners of shops asked for, until staff approve or decline them.
create table shop_profile_request (
  shop_id integer not null,
  name text not null,
  street text not null,
  city text not null,
  zip text not null,
  requested_at timestamp with time zone not null,
  requested_by uuid,
  constraint shop_profile_request_pkey PRIMARY KEY (shop_id),
  constraint shop_profile_request_city_check CHECK (((length(city) >= 1) AND (length(city) <= 60))),
  constraint shop_profile_request_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint shop_profile_request_street_check CHECK (((length(street) >= 1) AND (length(street) <= 100))),
  constraint shop_profile_request_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint shop_profile_request_requested_by_fkey FOREIGN KEY (requested_by) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_profile_request_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_profile_request_by_member ON shop_profile_request USING btree (requested_by) WHERE (requested_by IS NOT NULL);
CREATE INDEX shop_profile_request_by_time ON shop_profile_request USING btree (requested_at, shop_id);

-- What a job costs and how long it takes at a shop, by rim diameter.
create table shop_rate (
  shop_id integer not null,
  job text not null,
  rim_from_in numeric(4,1) not null,
  rim_to_in numeric(4,1) not null,
  install_cents integer not null,
  service_kit_cents integer not null,
  disposal_cents integer not null,
  minutes_per_tire smallint not null,
  during daterange not null default '(,)'::daterange,
  constraint shop_rate_once_a_day PRIMARY KEY (shop_id, job, rim_from_in, during WITHOUT OVERLAPS),
  constraint shop_rate_one_price EXCLUDE USING gist (shop_id WITH =, job WITH =, numrange(rim_from_in, rim_to_in, '[]'::text) WITH &&, during WITH &&),
  constraint shop_rate_check CHECK ((rim_from_in <= rim_to_in)),
  constraint shop_rate_disposal_cents_check CHECK ((disposal_cents >= 0)),
  constraint shop_rate_during_check CHECK ((NOT isempty(during))),
  constraint shop_rate_install_cents_check CHECK ((install_cents >= 0)),
  constraint shop_rate_job_check CHECK ((job = ANY (ARRAY['standard'::text, 'low-profile'::text, 'run-flat'::text, 'light-truck'::text]))),
  constraint shop_rate_minutes_per_tire_check CHECK (((minutes_per_tire >= 5) AND (minutes_per_tire <= 60))),
  constraint shop_rate_service_kit_cents_check CHECK ((service_kit_cents >= 0)),
  constraint shop_rate_within_agreement CHECK (((rim_from_in >= (12)::numeric) AND (rim_to_in <= (22)::numeric))), -- No price for a rim outside of the installer agreement.
  constraint shop_rate_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_rate REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_rate REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_rate REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER shop_rate_locks_its_shop BEFORE INSERT OR DELETE OR UPDATE ON shop_rate FOR EACH ROW EXECUTE FUNCTION lock_shop_of_rate();

-- What a shopper said of a shop after the work: stars, whether it was on time, and whether they had to come back.
create table shop_rating (
  booking_id uuid not null,
  shop_id integer not null,
  stars smallint not null,
  was_on_time boolean not null,
  came_back boolean not null,
  rated_at timestamp with time zone not null,
  constraint shop_rating_pkey PRIMARY KEY (booking_id),
  constraint shop_rating_stars_check CHECK (((stars >= 1) AND (stars <= 5))),
  constraint shop_rating_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint shop_rating_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_rating_by_shop ON shop_rating USING btree (shop_id);
CREATE INDEX shop_rating_by_time ON shop_rating USING brin (rated_at) WITH (pages_per_range='16');

-- Pieces that shops reported as short or damaged, and tires left at a shop that refused their job, for the office to answer and close.
create table shop_report (
  id bigint not null generated always as identity,
  booking_id uuid not null,
  shop_id integer not null,
  order_id bigint not null,
  kind text not null,
  line_no smallint,
  pieces smallint not null,
  note text,
  submission_key uuid not null,
  reported_at timestamp with time zone not null,
  reported_by uuid,
  answer text,
  answered_at timestamp with time zone,
  state text not null default 'open'::text,
  closed_at timestamp with time zone,
  closed_by text,
  file_key uuid,
  constraint shop_report_pkey PRIMARY KEY (id),
  constraint shop_report_file UNIQUE (file_key),
  constraint shop_report_submission_key_key UNIQUE (submission_key),
  constraint shop_report_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 1000))),
  constraint shop_report_answered_whole CHECK (((answer IS NULL) = (answered_at IS NULL))),
  constraint shop_report_closed_by_check CHECK (((length(closed_by) >= 1) AND (length(closed_by) <= 254))),
  constraint shop_report_closed_whole CHECK ((((state = 'closed'::text) = (closed_at IS NOT NULL)) AND ((closed_at IS NULL) = (closed_by IS NULL)))),
  constraint shop_report_damage_is_shown CHECK (((kind <> 'damaged'::text) OR (file_key IS NOT NULL) OR (state = 'closed'::text))),
  constraint shop_report_kind_check CHECK ((kind = ANY (ARRAY['short'::text, 'damaged'::text, 'stranded'::text]))),
  constraint shop_report_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint shop_report_of_pieces_names_line CHECK (((kind = 'stranded'::text) = (line_no IS NULL))),
  constraint shop_report_pieces_check CHECK (((pieces >= 1) AND (pieces <= 40))),
  constraint shop_report_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint shop_report_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint shop_report_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint shop_report_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint shop_report_reported_by_fkey FOREIGN KEY (reported_by) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint shop_report_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX shop_report_by_state ON shop_report USING btree (state, id);
CREATE INDEX shop_report_of_booking ON shop_report USING btree (booking_id, id);
CREATE INDEX shop_report_of_member ON shop_report USING btree (reported_by);
CREATE INDEX shop_report_of_order ON shop_report USING btree (order_id);
CREATE INDEX shop_report_of_shop ON shop_report USING btree (shop_id);
CREATE UNIQUE INDEX shop_report_stranded_once ON shop_report USING btree (booking_id) WHERE (kind = 'stranded'::text);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON shop_report FOR EACH ROW EXECUTE FUNCTION remove_named_file();
CREATE TRIGGER team_emails_of_shop_report AFTER INSERT ON shop_report FOR EACH ROW EXECUTE FUNCTION notify_teams_of_shop_report(); -- The store is emailed about problems that shops report.

-- The services that a shop offers without new tires, with their prices and durations, each on the days of its price list.
create table shop_service_price (
  shop_id integer not null,
  service text not null,
  price_cents integer not null,
  minutes smallint not null,
  during daterange not null default '(,)'::daterange,
  constraint shop_service_price_once_a_day PRIMARY KEY (shop_id, service, during WITHOUT OVERLAPS),
  constraint shop_service_price_during_check CHECK ((NOT isempty(during))),
  constraint shop_service_price_minutes_check CHECK (((minutes >= 5) AND (minutes <= 240))),
  constraint shop_service_price_price_cents_check CHECK (((price_cents >= 1) AND (price_cents <= 100000))),
  constraint shop_service_price_service_check CHECK (((service ~ '^[a-z]+(-[a-z]+)*$'::text) AND (length(service) <= 40))),
  constraint shop_service_price_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_service_price REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_service_price REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_service_price REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER shop_service_price_locks_its_shop BEFORE INSERT OR DELETE OR UPDATE ON shop_service_price FOR EACH ROW EXECUTE FUNCTION lock_shop_of_rate();

-- The steps of a shop's set-up that its owner has saved, the last one being that it was opened.
create table shop_set_up_step (
  shop_id integer not null,
  step text not null,
  done_at timestamp with time zone not null,
  done_by uuid not null,
  constraint shop_set_up_step_pkey PRIMARY KEY (shop_id, step),
  constraint shop_set_up_step_step_check CHECK ((step = ANY (ARRAY['hours'::text, 'bays'::text, 'prices'::text, 'lengths'::text, 'blackout-days'::text, 'opened'::text]))),
  constraint shop_set_up_step_done_by_fkey FOREIGN KEY (done_by) REFERENCES shop_member(id) ON DELETE CASCADE,
  constraint shop_set_up_step_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE INDEX shop_set_up_step_by_member ON shop_set_up_step USING btree (done_by);

-- Staff who turned off the single-key shortcuts of the back office.
create table shortcuts_off (
  issuer text not null,
  subject text not null,
  turned_off_at timestamp with time zone not null,
  constraint shortcuts_off_pkey PRIMARY KEY (issuer, subject),
  constraint shortcuts_off_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

-- Sign-ins under way at the provider.
create table sign_in_attempt (
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_path text not null,
  browser_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  purpose text not null default 'shop'::text,
  max_age_seconds integer,
  constraint sign_in_attempt_pkey PRIMARY KEY (state),
  constraint sign_in_attempt_browser_hash_check CHECK ((octet_length(browser_hash) = 32)),
  constraint sign_in_attempt_max_age_seconds_check CHECK ((max_age_seconds >= 0)),
  constraint sign_in_attempt_office_is_recent CHECK (((purpose = 'shop'::text) OR (max_age_seconds IS NOT NULL))),
  constraint sign_in_attempt_purpose_check CHECK ((purpose = ANY (ARRAY['shop'::text, 'office'::text, 'portal'::text]))),
  constraint sign_in_attempt_return_path_check CHECK ((return_path ~ '^/([^/\\]|$)'::text)),
  constraint sign_in_attempt_state_check CHECK ((length(state) = 32))
);
CREATE INDEX sign_in_attempt_by_time ON sign_in_attempt USING btree (created_at);

-- Tire sizes with their parts and the address of their listing.
create table size (
  id integer not null generated always as identity,
  designation text not null,
  slug text not null,
  kind text not null,
  section_width_mm numeric(6,2) not null,
  aspect numeric(5,2) not null,
  rim_in numeric(4,1) not null,
  overall_diameter_mm numeric(7,2) not null,
  constraint size_pkey PRIMARY KEY (id),
  constraint size_designation_key UNIQUE (designation),
  constraint size_slug_key UNIQUE (slug),
  constraint size_aspect_check CHECK ((aspect > (0)::numeric)),
  constraint size_kind_check CHECK ((kind = ANY (ARRAY['P'::text, 'LT'::text, 'FLOTATION'::text, 'C'::text, 'ST'::text, 'T'::text, 'COMMERCIAL'::text]))),
  constraint size_overall_diameter_mm_check CHECK ((overall_diameter_mm > (0)::numeric)),
  constraint size_rim_in_check CHECK ((rim_in > (0)::numeric)),
  constraint size_section_width_mm_check CHECK ((section_width_mm > (0)::numeric)),
  constraint size_slug_check CHECK ((slug ~ '^[a-z0-9]+([.-][a-z0-9]+)*$'::text))
);
CREATE INDEX size_by_rim ON size USING btree (rim_in);

-- The lists that original sizes come from, with their licenses.
create table size_list (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  license text not null,
  listed_on date, -- The date of a licensed list; null for the store's own list.
  constraint size_list_pkey PRIMARY KEY (id),
  constraint size_list_slug_key UNIQUE (slug),
  constraint size_list_license_check CHECK (((length(license) >= 1) AND (length(license) <= 200))),
  constraint size_list_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint size_list_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);

-- Use of a provider for original sizes.
create table size_provider (
  name text not null,
  calls_on date not null,
  calls integer not null, -- Calls on the day calls_on, in UTC.
  resume_at timestamp with time zone, -- After a failure, the provider is called again from then on.
  answered_at timestamp with time zone,
  failed_at timestamp with time zone,
  problem text,
  constraint size_provider_pkey PRIMARY KEY (name),
  constraint size_provider_calls_check CHECK ((calls >= 0)),
  constraint size_provider_failure_explained CHECK (((failed_at IS NULL) = (problem IS NULL))),
  constraint size_provider_name_check CHECK ((name = 'wheel-size'::text)),
  constraint size_provider_problem_check CHECK ((problem = ANY (ARRAY['refused-key'::text, 'over-quota'::text, 'unavailable'::text])))
);

-- Who works here, and as what: roles by email, bound to a person at their first sign-in.
create table staff_grant (
  id uuid not null,
  email text not null,
  role text not null,
  invited_by text not null,
  invited_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  issuer text,
  subject text,
  bound_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  revoke_reason text,
  signed_in_at timestamp with time zone, -- The last time this person opened the back office through the provider; null before the first time since this is recorded.
  second_factor boolean, -- Whether the last sign-in used a second factor; null if the provider did not report it.
  second_factor_at timestamp with time zone, -- The last sign-in with a second factor.
  constraint staff_grant_pkey PRIMARY KEY (id),
  constraint staff_grant_bound_whole CHECK ((num_nonnulls(issuer, subject, bound_at) = ANY (ARRAY[0, 3]))),
  constraint staff_grant_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254)))),
  constraint staff_grant_expires_later CHECK ((expires_at > invited_at)),
  constraint staff_grant_invited_by_check CHECK (((length(invited_by) >= 1) AND (length(invited_by) <= 254))),
  constraint staff_grant_owner_stays CHECK (((role <> 'owner'::text) OR (expires_at IS NULL))),
  constraint staff_grant_revoke_reason_check CHECK (((length(revoke_reason) >= 1) AND (length(revoke_reason) <= 500))),
  constraint staff_grant_revoked_by_check CHECK (((length(revoked_by) >= 1) AND (length(revoked_by) <= 254))),
  constraint staff_grant_revoked_whole CHECK ((num_nonnulls(revoked_at, revoked_by, revoke_reason) = ANY (ARRAY[0, 3]))),
  constraint staff_grant_second_factor_dated CHECK (((second_factor_at <= signed_in_at) AND ((second_factor IS NOT TRUE) OR ((second_factor_at IS NOT NULL) AND (second_factor_at = signed_in_at))))),
  constraint staff_grant_second_factor_of_sign_in CHECK (((num_nonnulls(second_factor, second_factor_at) = 0) OR (signed_in_at IS NOT NULL))),
  constraint staff_grant_signed_in_once_bound CHECK (((signed_in_at IS NULL) OR (bound_at IS NOT NULL))),
  constraint staff_grant_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint staff_grant_role_fkey FOREIGN KEY (role) REFERENCES staff_role(slug)
);
CREATE INDEX staff_grant_by_role ON staff_grant USING btree (role) WHERE (revoked_at IS NULL);
CREATE INDEX staff_grant_of_person ON staff_grant USING btree (issuer, subject);
CREATE UNIQUE INDEX staff_grant_once ON staff_grant USING btree (email, role) WHERE (revoked_at IS NULL);
CREATE CONSTRAINT TRIGGER staff_has_an_owner AFTER DELETE OR UPDATE ON staff_grant DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION staff_keeps_an_owner(); -- Somebody can always let others in.

-- Roles of staff: those that come with the product, and the store's own.
create table staff_role (
  slug text not null,
  name text not null,
  permissions text[], -- What the store's own role permits; null for a role whose permissions come with the product.
  version integer not null default 1,
  changed_at timestamp with time zone,
  changed_by text,
  retired_at timestamp with time zone, -- Since when the role is given to no one else.
  constraint staff_role_pkey PRIMARY KEY (slug),
  constraint staff_role_built_in_stays CHECK (((permissions IS NOT NULL) OR (retired_at IS NULL))),
  constraint staff_role_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint staff_role_name_check CHECK (((length(name) >= 2) AND (length(name) <= 40))),
  constraint staff_role_own_whole CHECK ((num_nonnulls(permissions, changed_at, changed_by) = ANY (ARRAY[0, 3]))),
  constraint staff_role_owners_manage_staff CHECK ((NOT (permissions && '{staff.manage}'::text[]))), -- Only owners invite staff and change roles.
  constraint staff_role_permissions_check CHECK ((((cardinality(permissions) >= 1) AND (cardinality(permissions) <= 200)) AND (array_position(permissions, NULL::text) IS NULL))),
  constraint staff_role_slug_check CHECK (((slug ~ '^[a-z][a-z0-9-]{0,39}$'::text) AND (slug <> 'new'::text))),
  constraint staff_role_version_check CHECK ((version >= 1))
);
CREATE UNIQUE INDEX staff_role_named_once ON staff_role USING btree (lower(name)) WHERE (retired_at IS NULL);

-- What staff set of a state's base rate, tire fee and taxability, one row per change; the row with the latest started day, and of those the newest, applies.
create table state_tax (
  id bigint not null generated always as identity,
  state text not null,
  starts_on date not null, -- The first day, in the local time of the place of delivery.
  rate_ppm integer not null, -- The state's base rate in parts per million, without county, city and district taxes.
  tire_fee jsonb not null, -- Fee per new tire as bands by rim size, smallest first: {belowRimInches, cents} or {belowRimInches, ratePpm, capCents}.
  tire_fee_name text, -- The name on receipts; null for the name of the state and "tire fee".
  taxed text[] not null, -- The charges that the state taxes.
  source text not null,
  checked_on date,
  is_verified boolean not null, -- Whether staff checked it against the source.
  set_at timestamp with time zone not null,
  set_by text not null,
  canceled_at timestamp with time zone,
  canceled_by text,
  product jsonb, -- A copy of built_in for the release before. Unused.
  is_product boolean not null default false, -- A copy of is_built_in for the release before. Unused.
  built_in jsonb, -- The built-in rate, fee and taxability when this was set; null if this was set before they were stored.
  is_built_in boolean not null default false, -- Whether the state has its built-in values from then on, including later updates. The other columns show the values at that time.
  constraint state_tax_pkey PRIMARY KEY (id),
  constraint state_tax_built_in_check CHECK ((jsonb_typeof(built_in) = 'object'::text)),
  constraint state_tax_built_in_known CHECK (((NOT is_built_in) OR (built_in IS NOT NULL))),
  constraint state_tax_canceled_before_it_starts CHECK ((((canceled_at AT TIME ZONE 'Pacific/Guam'::text))::date < starts_on)),
  constraint state_tax_canceled_by_check CHECK (((length(canceled_by) >= 1) AND (length(canceled_by) <= 254))),
  constraint state_tax_canceled_whole CHECK (((canceled_at IS NULL) = (canceled_by IS NULL))),
  constraint state_tax_not_backdated CHECK ((starts_on >= ((set_at AT TIME ZONE 'Pacific/Pago_Pago'::text))::date)),
  constraint state_tax_product_check CHECK ((jsonb_typeof(product) = 'object'::text)),
  constraint state_tax_product_known CHECK (((NOT is_product) OR (product IS NOT NULL))),
  constraint state_tax_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 300000))),
  constraint state_tax_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 254))),
  constraint state_tax_source_check CHECK (((length(source) >= 1) AND (length(source) <= 300))),
  constraint state_tax_state_check CHECK ((state ~ '^[A-Z]{2}$'::text)),
  constraint state_tax_taxed_check CHECK ((taxed <@ ARRAY['tire'::text, 'coverage'::text, 'installation'::text, 'service-kit'::text, 'disposal'::text, 'roadside'::text, 'shipping'::text, 'fet'::text, 'tire-fee'::text])),
  constraint state_tax_tire_fee_check CHECK (((jsonb_typeof(tire_fee) = 'array'::text) AND (jsonb_array_length(tire_fee) <= 4))),
  constraint state_tax_tire_fee_name_check CHECK (((length(tire_fee_name) >= 1) AND (length(tire_fee_name) <= 60))),
  constraint state_tax_verified_on_a_day CHECK (((NOT is_verified) OR (checked_on IS NOT NULL)))
);
CREATE INDEX state_tax_by_state ON state_tax USING btree (state, starts_on DESC, id DESC) WHERE (canceled_at IS NULL);
CREATE TRIGGER state_tax_append_only BEFORE DELETE OR UPDATE ON state_tax FOR EACH ROW EXECUTE FUNCTION state_tax_is_added_to(); -- Orders were placed under the rates of their time: those stay known. A scheduled change can be canceled.
CREATE TRIGGER state_tax_copies_built_in BEFORE INSERT ON state_tax FOR EACH ROW EXECUTE FUNCTION state_tax_copies_built_in();
CREATE TRIGGER state_tax_not_emptied BEFORE TRUNCATE ON state_tax FOR EACH STATEMENT EXECUTE FUNCTION state_tax_is_added_to();
CREATE TRIGGER state_tax_raises_version AFTER INSERT OR UPDATE ON state_tax FOR EACH STATEMENT EXECUTE FUNCTION state_tax_raises_version();

-- Units of an article in a warehouse that are not sold.
create table stock (
  item_id integer not null,
  warehouse_id smallint not null,
  on_hand integer not null,
  bin text, -- Where in the warehouse the tires stand, such as A-04-2; null where that is not recorded.
  closed_units integer not null default 0, -- Units in a warehouse that is closing: they are moved or adjusted, and not for sale.
  constraint stock_pkey PRIMARY KEY (item_id, warehouse_id),
  constraint stock_bin_check CHECK ((bin ~ '^[A-Z0-9][A-Z0-9./-]{0,19}$'::text)),
  constraint stock_closed_units_check CHECK ((closed_units >= 0)),
  constraint stock_never_negative CHECK ((on_hand >= 0)), -- Nothing is sold that is not there.
  constraint stock_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint stock_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE TRIGGER inserted_stock_of_closing_warehouse BEFORE INSERT ON stock FOR EACH ROW WHEN ((new.on_hand > 0)) EXECUTE FUNCTION stock_of_closing_warehouse(); -- A warehouse that is closing has nothing for sale.
CREATE TRIGGER keep_stock_holds_within_stock AFTER UPDATE ON stock REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_stock_holds_within_stock(); -- No more units are held than there are.
CREATE TRIGGER note_deleted_stock AFTER DELETE ON stock REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stock_changes(); -- A tire that a warehouse has no longer is seen by every process.
CREATE TRIGGER note_inserted_stock AFTER INSERT ON stock REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stock_changes(); -- A tire that a warehouse did not have is seen by every process.
CREATE TRIGGER note_updated_stock AFTER UPDATE ON stock REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_stock_changes(); -- Sales, returns and corrections are seen by every process.
CREATE TRIGGER updated_stock_of_closing_warehouse BEFORE UPDATE OF on_hand ON stock FOR EACH ROW WHEN ((new.on_hand > old.on_hand)) EXECUTE FUNCTION stock_of_closing_warehouse(); -- A warehouse that is closing has nothing for sale.
CREATE TRIGGER webhooks_of_deleted_stock AFTER DELETE ON stock REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION write_stock_changed(); -- Endpoints are sent stock that a warehouse has no longer.
CREATE TRIGGER webhooks_of_inserted_stock AFTER INSERT ON stock REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_stock_changed(); -- Endpoints are sent stock that a warehouse did not have.
CREATE TRIGGER webhooks_of_updated_stock AFTER UPDATE ON stock REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION write_stock_changed(); -- Endpoints are sent stock that changes.

-- Corrections of stock by staff, each with its reason and the units before and after.
create table stock_adjustment (
  id bigint not null generated always as identity,
  submission_key uuid not null,
  item_id integer not null,
  warehouse_id smallint not null,
  reason text not null,
  before_units integer not null,
  allocated_units integer not null,
  change_units integer not null,
  after_units integer not null,
  note text,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  receipt_id bigint, -- The delivery of a stock order that added the units.
  constraint stock_adjustment_pkey PRIMARY KEY (id),
  constraint stock_adjustment_submission_key_key UNIQUE (submission_key),
  constraint stock_adjustment_adds_up CHECK ((after_units = (before_units + change_units))),
  constraint stock_adjustment_allocated_units_check CHECK ((allocated_units >= 0)),
  constraint stock_adjustment_before_units_check CHECK ((before_units >= 0)),
  constraint stock_adjustment_direction CHECK (
CASE
    WHEN (reason = ANY (ARRAY['damaged'::text, 'lost'::text, 'supplier-return'::text])) THEN (change_units < 0)
    WHEN (reason = ANY (ARRAY['found'::text, 'returned'::text, 'received'::text])) THEN (change_units > 0)
    ELSE true
END),
  constraint stock_adjustment_keeps_allocated CHECK ((after_units >= 0)), -- Units of orders are never adjusted away.
  constraint stock_adjustment_note_check CHECK (((length(note) >= 1) AND (length(note) <= 400))),
  constraint stock_adjustment_of_receipt CHECK (((reason = 'received'::text) = (receipt_id IS NOT NULL))),
  constraint stock_adjustment_reason_check CHECK ((reason = ANY (ARRAY['count'::text, 'damaged'::text, 'lost'::text, 'found'::text, 'returned'::text, 'received'::text, 'supplier-return'::text]))),
  constraint stock_adjustment_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 254))),
  constraint stock_adjustment_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint stock_adjustment_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES stock_receipt(id),
  constraint stock_adjustment_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX stock_adjustment_by_item ON stock_adjustment USING btree (item_id, id DESC);

-- From which warehouse the units of an order line come.
create table stock_allocation (
  order_id bigint not null,
  line_no smallint not null,
  warehouse_id smallint not null,
  quantity smallint not null,
  constraint stock_allocation_pkey PRIMARY KEY (order_id, line_no, warehouse_id),
  constraint stock_allocation_quantity_check CHECK ((quantity > 0)),
  constraint stock_allocation_order_id_line_no_fkey FOREIGN KEY (order_id, line_no) REFERENCES order_line(order_id, line_no) ON DELETE CASCADE,
  constraint stock_allocation_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE CONSTRAINT TRIGGER order_line_allocated_or_canceled AFTER DELETE OR UPDATE ON stock_allocation DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION order_line_allocated_or_canceled(); -- A tire leaves its parcel only with the refund of its cancellation.
CREATE TRIGGER stock_allocation_from_open_warehouse BEFORE INSERT OR UPDATE OF warehouse_id ON stock_allocation FOR EACH ROW EXECUTE FUNCTION stock_allocation_from_open_warehouse(); -- No order takes units from a warehouse that is closing.

-- Tires whose units in some warehouse changed in a way a page can show, for a quarter of an hour; each process looks for new rows.
create table stock_change (
  id bigint not null generated always as identity,
  item_id integer, -- Null where one statement changed more tires than are worth naming.
  written_by xid8 not null default pg_current_xact_id(), -- The transaction: rows become visible in the order of commits, which is not that of their ids.
  changed_at timestamp with time zone not null default now(),
  constraint stock_change_pkey PRIMARY KEY (id)
);
CREATE INDEX stock_change_by_age ON stock_change USING btree (changed_at);
CREATE INDEX stock_change_by_transaction ON stock_change USING btree (written_by);

-- When a stock file last counted the tires in each warehouse.
create table stock_count_time (
  warehouse_id smallint not null,
  counted_at timestamp with time zone not null,
  constraint stock_count_time_pkey PRIMARY KEY (warehouse_id),
  constraint stock_count_time_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);

-- Units of stock held for a cart with its appointment, in the warehouse that would ship them.
create table stock_hold (
  booking_id uuid not null,
  item_id integer not null,
  warehouse_id smallint not null,
  quantity integer not null,
  held_by text, -- Opaque key of the visitor's network address, for the limit on held units.
  constraint stock_hold_pkey PRIMARY KEY (booking_id, item_id, warehouse_id),
  constraint stock_hold_quantity_check CHECK ((quantity > 0)),
  constraint stock_hold_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint stock_hold_item_id_warehouse_id_fkey FOREIGN KEY (item_id, warehouse_id) REFERENCES stock(item_id, warehouse_id) ON DELETE CASCADE
);
CREATE INDEX stock_hold_item_id_warehouse_id_idx ON stock_hold USING btree (item_id, warehouse_id);

-- Units of a tire in a warehouse by the Monday of their DOT week, as received. The oldest leave first, so those that remain are the newest of as many as stand on the shelf.
create table stock_lot (
  item_id integer not null,
  warehouse_id smallint not null,
  dot_week date not null,
  units integer not null,
  constraint stock_lot_pkey PRIMARY KEY (item_id, warehouse_id, dot_week),
  constraint stock_lot_dot_week_check CHECK ((EXTRACT(isodow FROM dot_week) = (1)::numeric)),
  constraint stock_lot_units_check CHECK ((units > 0)),
  constraint stock_lot_item_id_warehouse_id_fkey FOREIGN KEY (item_id, warehouse_id) REFERENCES stock(item_id, warehouse_id) ON DELETE CASCADE
);

-- Purchase orders for the store’s own stock, received in parts.
create table stock_order (
  id bigint not null generated always as identity,
  submission_key uuid not null,
  supplier_id smallint not null,
  warehouse_id smallint not null,
  state text not null default 'draft'::text,
  expected_on date not null,
  note text,
  version integer not null default 1,
  payment_days smallint, -- Days in which the store pays, as agreed with the supplier when the order was sent.
  created_at timestamp with time zone not null,
  created_by text not null,
  sent_at timestamp with time zone,
  sent_by text,
  canceled_at timestamp with time zone,
  canceled_by text,
  cancel_reason text,
  is_suggested boolean not null default false, -- Drafted from the low-stock list, which adds to it while it is a draft.
  asked_no smallint not null default 0, -- How often staff sent it electronically; each time is another order to the supplier.
  taken_at timestamp with time zone, -- When the supplier’s system took it; null if staff placed it.
  refusal text, -- Why the supplier’s system refused it, until staff send it again.
  refused_at timestamp with time zone, -- When the supplier’s system refused it.
  withdrawn_at timestamp with time zone, -- When the supplier’s system took the cancellation.
  withdraw_refusal text, -- Why the supplier’s system refused the cancellation.
  supplier_reference text, -- The supplier’s own number of the order.
  shipped_at timestamp with time zone, -- When the supplier last said that it shipped.
  ship_notice text, -- The number and tracking of the latest shipment.
  constraint stock_order_pkey PRIMARY KEY (id),
  constraint stock_order_submission_key_key UNIQUE (submission_key),
  constraint stock_order_asked_no_check CHECK (((asked_no >= 0) AND (asked_no <= 99))),
  constraint stock_order_cancel_reason_check CHECK (((length(cancel_reason) >= 1) AND (length(cancel_reason) <= 400))),
  constraint stock_order_canceled CHECK ((num_nonnulls(canceled_at, canceled_by, cancel_reason) =
CASE
    WHEN (state = 'canceled'::text) THEN 3
    ELSE 0
END)),
  constraint stock_order_canceled_by_check CHECK (((length(canceled_by) >= 1) AND (length(canceled_by) <= 254))),
  constraint stock_order_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 254))),
  constraint stock_order_note_check CHECK (((length(note) >= 1) AND (length(note) <= 400))),
  constraint stock_order_payment_days_check CHECK (((payment_days >= 0) AND (payment_days <= 180))),
  constraint stock_order_refusal_check CHECK (((length(refusal) >= 1) AND (length(refusal) <= 400))),
  constraint stock_order_refused_draft CHECK (((num_nonnulls(refusal, refused_at) = ANY (ARRAY[0, 2])) AND ((refusal IS NULL) OR ((asked_no > 0) AND (state = 'draft'::text))))),
  constraint stock_order_sending CHECK (((state <> 'sending'::text) OR (asked_no > 0))),
  constraint stock_order_sent CHECK (((state = ANY (ARRAY['draft'::text, 'canceled'::text])) OR (sent_at IS NOT NULL))),
  constraint stock_order_sent_by_check CHECK (((length(sent_by) >= 1) AND (length(sent_by) <= 254))),
  constraint stock_order_sent_whole CHECK ((num_nonnulls(sent_at, sent_by, payment_days) = ANY (ARRAY[0, 3]))),
  constraint stock_order_ship_notice_check CHECK (((length(ship_notice) >= 1) AND (length(ship_notice) <= 100))),
  constraint stock_order_shipped_with_notice CHECK (((shipped_at IS NULL) = (ship_notice IS NULL))),
  constraint stock_order_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'sending'::text, 'sent'::text, 'partly-received'::text, 'received'::text, 'canceled'::text]))),
  constraint stock_order_supplier_reference_check CHECK (((length(supplier_reference) >= 1) AND (length(supplier_reference) <= 60))),
  constraint stock_order_taken_after_sending CHECK (((taken_at IS NULL) OR ((asked_no > 0) AND (state <> ALL (ARRAY['draft'::text, 'sending'::text]))))),
  constraint stock_order_unsent_draft CHECK (((state <> 'draft'::text) OR (sent_at IS NULL))),
  constraint stock_order_version_check CHECK ((version >= 1)),
  constraint stock_order_withdraw_refusal_check CHECK (((length(withdraw_refusal) >= 1) AND (length(withdraw_refusal) <= 400))),
  constraint stock_order_withdrawn CHECK (((num_nonnulls(withdrawn_at, withdraw_refusal) = 0) OR ((state = 'canceled'::text) AND (taken_at IS NOT NULL)))),
  constraint stock_order_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint stock_order_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX stock_order_by_refusal ON stock_order USING btree (refused_at) WHERE (refused_at IS NOT NULL);
CREATE INDEX stock_order_by_state ON stock_order USING btree (state, id DESC);
CREATE INDEX stock_order_by_supplier ON stock_order USING btree (supplier_id, warehouse_id) WHERE (state = ANY (ARRAY['draft'::text, 'sending'::text, 'sent'::text, 'partly-received'::text]));
CREATE INDEX stock_order_open_by_day ON stock_order USING btree (expected_on) WHERE (state = ANY (ARRAY['sending'::text, 'sent'::text, 'partly-received'::text]));
CREATE TRIGGER stock_order_life BEFORE INSERT OR UPDATE ON stock_order FOR EACH ROW EXECUTE FUNCTION stock_order_moves();

-- The tires of a purchase order for stock, one line for each tire.
create table stock_order_line (
  stock_order_id bigint not null,
  item_id integer not null,
  quantity integer not null,
  unit_cost_cents integer not null,
  received_units integer not null default 0, -- Units that went into stock.
  damaged_units integer not null default 0,
  short_units integer not null default 0, -- Units that will not arrive.
  over_units integer not null default 0, -- Units that arrived beyond the order, accepted with a reason.
  rejected_units integer not null default 0, -- Units that the supplier does not fill, as it answered last. Staff mark them as missing.
  backordered_units integer not null default 0, -- Units that the supplier ships later, as it answered last.
  constraint stock_order_line_pkey PRIMARY KEY (stock_order_id, item_id),
  constraint stock_order_line_answered_within CHECK (((rejected_units + backordered_units) <= quantity)),
  constraint stock_order_line_backordered_units_check CHECK ((backordered_units >= 0)),
  constraint stock_order_line_damaged_units_check CHECK ((damaged_units >= 0)),
  constraint stock_order_line_over_units_check CHECK ((over_units >= 0)),
  constraint stock_order_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 10000))),
  constraint stock_order_line_received_units_check CHECK ((received_units >= 0)),
  constraint stock_order_line_rejected_units_check CHECK ((rejected_units >= 0)),
  constraint stock_order_line_short_units_check CHECK ((short_units >= 0)),
  constraint stock_order_line_unit_cost_cents_check CHECK (((unit_cost_cents >= 1) AND (unit_cost_cents <= 1000000))),
  constraint stock_order_line_within_order CHECK ((((received_units + damaged_units) + short_units) <= (quantity + over_units))),
  constraint stock_order_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint stock_order_line_stock_order_id_fkey FOREIGN KEY (stock_order_id) REFERENCES stock_order(id) ON DELETE CASCADE
);
CREATE INDEX stock_order_line_by_item ON stock_order_line USING btree (item_id);
CREATE TRIGGER stock_order_line_of_draft BEFORE INSERT OR DELETE OR UPDATE ON stock_order_line FOR EACH ROW EXECUTE FUNCTION stock_order_line_fixed();

-- Deliveries of stock orders, each posted once.
create table stock_receipt (
  id bigint not null generated always as identity,
  submission_key uuid not null,
  stock_order_id bigint not null,
  over_reason text,
  received_by text not null,
  received_at timestamp with time zone not null,
  constraint stock_receipt_pkey PRIMARY KEY (id),
  constraint stock_receipt_submission_key_key UNIQUE (submission_key),
  constraint stock_receipt_over_reason_check CHECK (((length(over_reason) >= 1) AND (length(over_reason) <= 400))),
  constraint stock_receipt_received_by_check CHECK (((length(received_by) >= 1) AND (length(received_by) <= 254))),
  constraint stock_receipt_stock_order_id_fkey FOREIGN KEY (stock_order_id) REFERENCES stock_order(id)
);
CREATE INDEX stock_receipt_by_order ON stock_receipt USING btree (stock_order_id, id);

-- What a delivery had of each tire; damaged and missing units have a reason.
create table stock_receipt_line (
  receipt_id bigint not null,
  item_id integer not null,
  received_units integer not null,
  damaged_units integer not null,
  short_units integer not null,
  reason text,
  freight_cents integer not null default 0, -- The part of the delivery's freight in the cost of the received units.
  constraint stock_receipt_line_pkey PRIMARY KEY (receipt_id, item_id),
  constraint stock_receipt_line_damaged_units_check CHECK (((damaged_units >= 0) AND (damaged_units <= 10000))),
  constraint stock_receipt_line_freight CHECK (((freight_cents = 0) OR ((received_units > 0) AND ((freight_cents >= 0) AND (freight_cents <= 10000000))))),
  constraint stock_receipt_line_of_something CHECK ((((received_units + damaged_units) + short_units) > 0)),
  constraint stock_receipt_line_reason CHECK ((((damaged_units + short_units) = 0) OR (reason IS NOT NULL))),
  constraint stock_receipt_line_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 400))),
  constraint stock_receipt_line_received_units_check CHECK (((received_units >= 0) AND (received_units <= 10000))),
  constraint stock_receipt_line_short_units_check CHECK (((short_units >= 0) AND (short_units <= 10000))),
  constraint stock_receipt_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint stock_receipt_line_receipt_id_fkey FOREIGN KEY (receipt_id) REFERENCES stock_receipt(id) ON DELETE CASCADE
);
CREATE INDEX stock_receipt_line_by_item ON stock_receipt_line USING btree (item_id);

-- Received units by the Monday of their DOT week.
create table stock_receipt_lot (
  receipt_id bigint not null,
  item_id integer not null,
  dot_week date not null,
  units integer not null,
  constraint stock_receipt_lot_pkey PRIMARY KEY (receipt_id, item_id, dot_week),
  constraint stock_receipt_lot_dot_week_check CHECK ((EXTRACT(isodow FROM dot_week) = (1)::numeric)),
  constraint stock_receipt_lot_units_check CHECK ((units > 0)),
  constraint stock_receipt_lot_receipt_id_item_id_fkey FOREIGN KEY (receipt_id, item_id) REFERENCES stock_receipt_line(receipt_id, item_id) ON DELETE CASCADE
);

-- Units that staff moved from one warehouse of the store to another.
create table stock_transfer (
  id bigint not null generated always as identity,
  submission_key uuid not null,
  item_id integer not null,
  from_warehouse_id smallint not null,
  to_warehouse_id smallint not null,
  units integer not null,
  note text,
  recorded_by text not null,
  recorded_at timestamp with time zone not null,
  constraint stock_transfer_pkey PRIMARY KEY (id),
  constraint stock_transfer_submission_key_key UNIQUE (submission_key),
  constraint stock_transfer_between_two CHECK ((from_warehouse_id <> to_warehouse_id)),
  constraint stock_transfer_note_check CHECK (((length(note) >= 1) AND (length(note) <= 400))),
  constraint stock_transfer_recorded_by_check CHECK (((length(recorded_by) >= 1) AND (length(recorded_by) <= 254))),
  constraint stock_transfer_units_check CHECK (((units >= 1) AND (units <= 100000))),
  constraint stock_transfer_from_warehouse_id_fkey FOREIGN KEY (from_warehouse_id) REFERENCES warehouse(id),
  constraint stock_transfer_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint stock_transfer_to_warehouse_id_fkey FOREIGN KEY (to_warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX stock_transfer_by_item ON stock_transfer USING btree (item_id, id DESC);

-- The first order of each customer that took the discount of the store's card; a canceled order gives it back.
create table store_card_use (
  order_id bigint not null,
  account_id uuid,
  mailbox text not null,
  used_at timestamp with time zone not null,
  canceled_at timestamp with time zone,
  constraint store_card_use_pkey PRIMARY KEY (order_id),
  constraint store_card_use_mailbox_check CHECK (((length(mailbox) >= 3) AND (length(mailbox) <= 254))),
  constraint store_card_use_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint store_card_use_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE UNIQUE INDEX store_card_once_by_account ON store_card_use USING btree (account_id) WHERE (canceled_at IS NULL);
CREATE UNIQUE INDEX store_card_once_by_mailbox ON store_card_use USING btree (mailbox) WHERE (canceled_at IS NULL);

-- Logos that were set, as WebP, by the hash of their bytes.
create table store_logo (
  key text not null,
  bytes bytea not null,
  added_at timestamp with time zone not null,
  constraint store_logo_pkey PRIMARY KEY (key),
  constraint store_logo_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 1048576))),
  constraint store_logo_key_check CHECK ((key ~ '^[0-9a-f]{32}$'::text))
);

-- What the owner set, one row per change; the newest of a name applies, null returns to the default. Only added to.
create table store_setting (
  id bigint not null generated always as identity,
  name text not null,
  value jsonb,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  valid_from timestamp with time zone, -- When a scheduled value starts; null for immediately. A later row with the same start replaces it.
  constraint store_setting_pkey PRIMARY KEY (id),
  constraint store_setting_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint store_setting_name_check CHECK ((name = ANY (ARRAY['name'::text, 'logo'::text, 'accent-color'::text, 'dark-color'::text, 'phone'::text, 'email'::text, 'return-address'::text, 'refund-alone-cents'::text, 'daily-alone-cents'::text, 'discount-alone-ppm'::text, 'quote-margin-floor-ppm'::text, 'phone-zone'::text, 'phone-week'::text, 'phone-holidays'::text, 'no-show-pay-cents'::text, 'pay-hold-hours'::text, 'pay-dispute-days'::text, 'pay-alone-cents'::text, 'below-map'::text]))),
  constraint store_setting_not_backdated CHECK ((valid_from >= changed_at)),
  constraint store_setting_scheduled_names CHECK (((valid_from IS NULL) OR (name = ANY (ARRAY['phone-zone'::text, 'phone-week'::text, 'phone-holidays'::text])))),
  constraint store_setting_value_check CHECK ((octet_length((value)::text) <= 2000))
);
CREATE INDEX store_setting_newest ON store_setting USING btree (name, id DESC);
CREATE TRIGGER store_setting_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON store_setting FOR EACH STATEMENT EXECUTE FUNCTION store_setting_is_added_to(); -- What was set before stays known.

-- One row: whether shoppers can order. Placing an order locks it, so that none is placed once the store is closed.
create table store_state (
  id smallint not null default 1,
  is_open boolean not null,
  changed_at timestamp with time zone, -- Null until an owner opens or closes the store.
  changed_by text,
  terms_version integer not null default 0, -- Rises with each change of the business terms, so that an order priced under other terms is not placed.
  constraint store_state_pkey PRIMARY KEY (id),
  constraint store_state_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint store_state_changed_whole CHECK (((changed_at IS NULL) = (changed_by IS NULL))),
  constraint store_state_id_check CHECK ((id = 1))
);
CREATE TRIGGER store_state_stays BEFORE DELETE OR TRUNCATE ON store_state FOR EACH STATEMENT EXECUTE FUNCTION store_state_stays(); -- Without its row no order could be placed.

-- Visitors per day in the store’s time zone, without cookies or robots, counted with an error of about 2 %.
create table store_visits (
  day date not null,
  sketch bytea not null, -- The registers of a HyperLogLog, from which nobody can be recognized; processes merge theirs into it.
  visits integer not null,
  constraint store_visits_pkey PRIMARY KEY (day),
  constraint store_visits_sketch_check CHECK ((length(sketch) = 2048)),
  constraint store_visits_visits_check CHECK ((visits >= 0))
);

-- A file that somebody sent: its kind, size and hash, and the place where its bytes are.
create table stored_file (
  key uuid not null,
  content_type text not null,
  size integer not null,
  sha256 bytea not null,
  place text not null,
  going_to text,
  added_at timestamp with time zone not null,
  constraint stored_file_pkey PRIMARY KEY (key),
  constraint stored_file_content_type_check CHECK ((content_type = ANY (ARRAY['image/webp'::text, 'image/jpeg'::text, 'application/pdf'::text, 'application/zpl'::text]))),
  constraint stored_file_going_to_check CHECK ((going_to = ANY (ARRAY['folder'::text, 's3'::text]))),
  constraint stored_file_place_check CHECK ((place = ANY (ARRAY['rows'::text, 'folder'::text, 's3'::text]))),
  constraint stored_file_sha256_check CHECK ((octet_length(sha256) = 32)),
  constraint stored_file_size_check CHECK (((size >= 1) AND (size <= 1048576)))
);
CREATE INDEX stored_file_by_place ON stored_file USING btree (place, key);
CREATE TRIGGER remove_file_bytes AFTER DELETE ON stored_file FOR EACH ROW EXECUTE FUNCTION remove_file_bytes();

-- The bytes of files that are not in their folder or bucket yet. A job takes them there.
create table stored_file_bytes (
  key uuid not null,
  bytes bytea not null,
  constraint stored_file_bytes_pkey PRIMARY KEY (key),
  constraint stored_file_bytes_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 1048576))),
  constraint stored_file_bytes_key_fkey FOREIGN KEY (key) REFERENCES stored_file(key) ON DELETE CASCADE
);

-- A set that a shop stores for a customer after a service with storage.
create table stored_set (
  order_id bigint not null,
  shop_id integer not null,
  stored_at timestamp with time zone not null,
  stored_on date not null,
  stored_until date not null,
  place text,
  reminded_at timestamp with time zone,
  returned_at timestamp with time zone,
  returned_by uuid,
  constraint stored_set_pkey PRIMARY KEY (order_id),
  constraint stored_set_ends_later CHECK ((stored_until > stored_on)),
  constraint stored_set_place_check CHECK ((((length(place) >= 1) AND (length(place) <= 40)) AND (place = btrim(place)))),
  constraint stored_set_returned_later CHECK ((returned_at >= stored_at)),
  constraint stored_set_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint stored_set_returned_by_fkey FOREIGN KEY (returned_by) REFERENCES shop_member(id) ON DELETE SET NULL,
  constraint stored_set_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX stored_set_ending ON stored_set USING btree (stored_until) WHERE (returned_at IS NULL);
CREATE INDEX stored_set_of_member ON stored_set USING btree (returned_by);
CREATE INDEX stored_set_of_shop ON stored_set USING btree (shop_id, ((returned_at IS NULL)), stored_until, order_id);
CREATE INDEX stored_set_returned ON stored_set USING btree (returned_at, order_id) WHERE (returned_at IS NOT NULL);
CREATE TRIGGER stored_set_follows_its_job BEFORE INSERT OR UPDATE ON stored_set FOR EACH ROW EXECUTE FUNCTION stored_set_follows_its_job(); -- A set is stored by its finished service. Its days stay, and nothing changes after its return.

-- Wholesalers whose warehouses ship for the store.
create table supplier (
  id smallint not null,
  code text not null,
  name text not null,
  network_id text, -- The supplier’s identity in cXML and EDI; null: staff place its orders and record its answers.
  account_number text, -- The store’s account at the supplier.
  lead_days smallint not null default 3, -- Days from a purchase order for stock to its delivery.
  discount_ppm integer not null default 0, -- What the supplier takes off the cost of a tire, in parts per million.
  minimum_order_cents integer,
  payment_days smallint not null default 30, -- Days in which the store pays the supplier’s invoices.
  cxml_url text, -- Where the supplier’s own system takes orders; null: over the purchasing network.
  cxml_identity text, -- The store’s identity at the supplier’s own system.
  cxml_secret bytea, -- Sealed: what both prove themselves with there.
  retired_at timestamp with time zone, -- Since when nothing is ordered from it.
  version integer not null default 1,
  changed_at timestamp with time zone,
  changed_by text,
  availability_url text, -- Where the supplier answers which part numbers it has; null: without one.
  availability_key bytea, -- Sealed: the key that the store sends there.
  availability_fault text, -- Why the service did not answer; null if it did.
  availability_failed_at timestamp with time zone, -- Since when it fails in this way.
  edi_url text, -- The folder on the supplier’s SFTP server. It has the folders `in` for orders and `out` for answers.
  edi_identity text, -- The store’s interchange ID at the supplier.
  edi_username text,
  edi_secret bytea, -- Sealed: the password, or the private key of the login.
  edi_host_key text, -- The fingerprint of the SFTP server’s key, as OpenSSH writes it.
  edi_fault text, -- Why the last exchange failed; null if it worked.
  edi_failed_at timestamp with time zone, -- Since when it fails in this way.
  edi_read_at timestamp with time zone, -- When the supplier’s files were last read.
  freight_cents integer not null default 0, -- Freight that the supplier charges for each tire that it ships.
  constraint supplier_pkey PRIMARY KEY (id),
  constraint supplier_code_key UNIQUE (code),
  constraint supplier_network_id_key UNIQUE (network_id),
  constraint supplier_account_number_check CHECK ((account_number ~ '^[^<>[:cntrl:]]{1,40}$'::text)),
  constraint supplier_availability_fault_check CHECK (((length(availability_fault) >= 1) AND (length(availability_fault) <= 200))),
  constraint supplier_availability_fault_whole CHECK (((availability_fault IS NULL) = (availability_failed_at IS NULL))),
  constraint supplier_availability_key_check CHECK ((octet_length(availability_key) <= 1000)),
  constraint supplier_availability_url_check CHECK (((length(availability_url) <= 300) AND (availability_url ~ '^https?://[^\s]+$'::text))),
  constraint supplier_availability_whole CHECK (((availability_url IS NULL) = (availability_key IS NULL))),
  constraint supplier_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint supplier_changed_whole CHECK (((changed_at IS NULL) = (changed_by IS NULL))),
  constraint supplier_code_check CHECK ((code ~ '^[A-Z0-9]{2,10}$'::text)),
  constraint supplier_cxml_has_identity CHECK (((cxml_url IS NULL) OR (network_id IS NOT NULL))),
  constraint supplier_cxml_identity_check CHECK ((cxml_identity ~ '^[A-Za-z0-9._-]{1,40}$'::text)),
  constraint supplier_cxml_url_check CHECK (((length(cxml_url) <= 300) AND (cxml_url ~ '^https?://[^\s]+$'::text))),
  constraint supplier_cxml_whole CHECK ((num_nonnulls(cxml_url, cxml_identity, cxml_secret) = ANY (ARRAY[0, 3]))),
  constraint supplier_discount_ppm_check CHECK (((discount_ppm >= 0) AND (discount_ppm <= 999999))),
  constraint supplier_edi_fault_check CHECK (((length(edi_fault) >= 1) AND (length(edi_fault) <= 200))),
  constraint supplier_edi_fault_whole CHECK (((edi_fault IS NULL) = (edi_failed_at IS NULL))),
  constraint supplier_edi_has_identity CHECK (((edi_url IS NULL) OR (length(network_id) <= 15))),
  constraint supplier_edi_host_key_check CHECK ((edi_host_key ~ '^SHA256:[A-Za-z0-9+/]{43}$'::text)),
  constraint supplier_edi_identity_check CHECK ((edi_identity ~ '^[A-Za-z0-9._-]{1,15}$'::text)),
  constraint supplier_edi_secret_check CHECK ((octet_length(edi_secret) <= 20000)),
  constraint supplier_edi_url_check CHECK (((length(edi_url) <= 300) AND (edi_url ~ '^sftp://[^\s]+$'::text))),
  constraint supplier_edi_username_check CHECK ((edi_username ~ '^[^[:cntrl:]:]{1,100}$'::text)),
  constraint supplier_edi_whole CHECK ((num_nonnulls(edi_url, edi_identity, edi_username, edi_secret, edi_host_key) = ANY (ARRAY[0, 5]))),
  constraint supplier_freight_cents_check CHECK (((freight_cents >= 0) AND (freight_cents <= 50000))),
  constraint supplier_lead_days_check CHECK (((lead_days >= 0) AND (lead_days <= 180))),
  constraint supplier_minimum_order_cents_check CHECK ((minimum_order_cents > 0)),
  constraint supplier_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint supplier_network_id_check CHECK ((network_id ~ '^[A-Za-z0-9._-]{1,40}$'::text)),
  constraint supplier_one_system CHECK ((num_nonnulls(cxml_url, edi_url) <= 1)),
  constraint supplier_payment_days_check CHECK (((payment_days >= 0) AND (payment_days <= 180))),
  constraint supplier_version_check CHECK ((version >= 1))
);

-- A supplier’s last answer about a tire: its units in all warehouses of the supplier, and its cost to the store.
create table supplier_availability (
  supplier_id smallint not null,
  item_id integer not null,
  queried_at timestamp with time zone not null,
  units integer not null,
  cost_cents integer,
  constraint supplier_availability_pkey PRIMARY KEY (supplier_id, item_id),
  constraint supplier_availability_cost_cents_check CHECK (((cost_cents >= 1) AND (cost_cents <= 100000000))),
  constraint supplier_availability_units_check CHECK (((units >= 0) AND (units <= 1000000))),
  constraint supplier_availability_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint supplier_availability_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id) ON DELETE CASCADE
);
CREATE INDEX supplier_availability_by_item ON supplier_availability USING btree (item_id);

-- Supplier files that are fetched at set times.
create table supplier_feed (
  id integer not null generated always as identity,
  name text not null,
  kind text not null,
  mode text not null,
  url text not null,
  username text,
  secret bytea, -- Sealed: the password, or the private key of an SFTP login.
  host_key text, -- The fingerprint of the SFTP server’s key, as OpenSSH writes it.
  days smallint[] not null, -- Days of the week, 1 for Monday.
  times smallint[] not null, -- Minutes after midnight in the store’s time zone.
  max_price_percent smallint not null, -- The share of a file’s prices that may change without a person.
  scheduled_since timestamp with time zone not null, -- Earlier times of the schedule don’t count.
  paused_at timestamp with time zone,
  etag text, -- The version of the last file that was read, as its server named it.
  last_modified text,
  file_sha256 text, -- The content of the last file that was read.
  version integer not null default 1,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint supplier_feed_pkey PRIMARY KEY (id),
  constraint supplier_feed_name_key UNIQUE (name),
  constraint supplier_feed_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint supplier_feed_days_check CHECK ((((cardinality(days) >= 1) AND (cardinality(days) <= 7)) AND (days <@ ARRAY[(1)::smallint, (2)::smallint, (3)::smallint, (4)::smallint, (5)::smallint, (6)::smallint, (7)::smallint]))),
  constraint supplier_feed_etag_check CHECK (((length(etag) >= 1) AND (length(etag) <= 300))),
  constraint supplier_feed_file_sha256_check CHECK ((file_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint supplier_feed_host_key_check CHECK ((host_key ~ '^SHA256:[A-Za-z0-9+/]{43}$'::text)),
  constraint supplier_feed_kind_check CHECK ((kind = ANY (ARRAY['products'::text, 'prices'::text, 'stock'::text, 'fitment'::text]))),
  constraint supplier_feed_last_modified_check CHECK (((length(last_modified) >= 1) AND (length(last_modified) <= 100))),
  constraint supplier_feed_max_price_percent_check CHECK (((max_price_percent >= 1) AND (max_price_percent <= 100))),
  constraint supplier_feed_mode_check CHECK ((mode = ANY (ARRAY['all-or-nothing'::text, 'per-row'::text]))),
  constraint supplier_feed_name_check CHECK ((name ~ '^[^<>[:cntrl:]]{1,80}$'::text)),
  constraint supplier_feed_secret_check CHECK ((octet_length(secret) <= 20000)),
  constraint supplier_feed_secret_has_user CHECK (((secret IS NULL) OR (username IS NOT NULL))),
  constraint supplier_feed_sftp_whole CHECK (((url !~ '^sftp:'::text) OR ((secret IS NOT NULL) AND (host_key IS NOT NULL)))),
  constraint supplier_feed_times_check CHECK ((((cardinality(times) >= 1) AND (cardinality(times) <= 24)) AND (0 <= ALL (times)) AND (1440 > ALL (times)))),
  constraint supplier_feed_url_check CHECK (((length(url) <= 500) AND (url ~ '^(https|http|sftp)://[^\s]+$'::text))),
  constraint supplier_feed_username_check CHECK ((username ~ '^[^[:cntrl:]:]{1,100}$'::text)),
  constraint supplier_feed_version_check CHECK ((version >= 1))
);

-- Each time a supplier file was fetched, once for each scheduled time.
create table supplier_feed_fetch (
  id integer not null generated always as identity,
  feed_id integer not null,
  due_at timestamp with time zone not null, -- The scheduled time, or when a person requested the fetch.
  requested_by text,
  state text not null default 'due'::text,
  attempts smallint not null default 0,
  fault text,
  detail text,
  run_id integer,
  held text, -- Why the import was not published automatically.
  finished_at timestamp with time zone,
  constraint supplier_feed_fetch_pkey PRIMARY KEY (id),
  constraint supplier_feed_fetch_once UNIQUE (feed_id, due_at),
  constraint supplier_feed_fetch_run_id_key UNIQUE (run_id),
  constraint supplier_feed_fetch_attempts_check CHECK (((attempts >= 0) AND (attempts <= 10))),
  constraint supplier_feed_fetch_detail_check CHECK (((length(detail) >= 1) AND (length(detail) <= 300))),
  constraint supplier_feed_fetch_fault CHECK (((fault IS NOT NULL) = (state = 'failed'::text))),
  constraint supplier_feed_fetch_fault_check CHECK (((length(fault) >= 1) AND (length(fault) <= 40))),
  constraint supplier_feed_fetch_finished CHECK (((finished_at IS NULL) = (state = 'due'::text))),
  constraint supplier_feed_fetch_held CHECK (((held IS NULL) OR (run_id IS NOT NULL))),
  constraint supplier_feed_fetch_held_check CHECK ((held = ANY (ARRAY['refused'::text, 'warnings'::text, 'prices'::text, 'not-allowed'::text]))),
  constraint supplier_feed_fetch_requested_by_check CHECK (((length(requested_by) >= 1) AND (length(requested_by) <= 254))),
  constraint supplier_feed_fetch_run CHECK (((run_id IS NOT NULL) = (state = 'imported'::text))),
  constraint supplier_feed_fetch_state_check CHECK ((state = ANY (ARRAY['due'::text, 'failed'::text, 'unchanged'::text, 'imported'::text]))),
  constraint supplier_feed_fetch_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES supplier_feed(id),
  constraint supplier_feed_fetch_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id)
);
CREATE INDEX supplier_feed_fetch_newest ON supplier_feed_fetch USING btree (feed_id, id DESC);
CREATE UNIQUE INDEX supplier_feed_fetch_one_due ON supplier_feed_fetch USING btree (feed_id) WHERE (state = 'due'::text);

-- Members of the staff who get an email when a supplier file needs a person.
create table supplier_feed_subscriber (
  id uuid not null,
  feed_id integer not null,
  issuer text not null,
  subject text not null,
  constraint supplier_feed_subscriber_pkey PRIMARY KEY (id),
  constraint supplier_feed_subscriber_once UNIQUE (feed_id, issuer, subject),
  constraint supplier_feed_subscriber_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 500))),
  constraint supplier_feed_subscriber_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255))),
  constraint supplier_feed_subscriber_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES supplier_feed(id)
);

-- What suppliers sent about purchase orders, each message once.
create table supplier_message (
  supplier_id smallint not null,
  payload_id text not null,
  purchase_order_id bigint,
  kind text not null,
  summary text not null,
  answer_code smallint not null,
  received_at timestamp with time zone not null,
  stock_order_id bigint, -- The stock order that it is about; null for a purchase order of a shopper’s order.
  constraint supplier_message_pkey PRIMARY KEY (supplier_id, payload_id),
  constraint supplier_message_kind_check CHECK ((kind = ANY (ARRAY['confirmation'::text, 'ship-notice'::text]))),
  constraint supplier_message_of_one_order CHECK ((num_nonnulls(purchase_order_id, stock_order_id) = 1)),
  constraint supplier_message_payload_id_check CHECK (((length(payload_id) >= 1) AND (length(payload_id) <= 200))),
  constraint supplier_message_summary_check CHECK (((length(summary) >= 1) AND (length(summary) <= 500))),
  constraint supplier_message_purchase_order_id_fkey FOREIGN KEY (purchase_order_id) REFERENCES purchase_order(id) ON DELETE CASCADE,
  constraint supplier_message_stock_order_id_fkey FOREIGN KEY (stock_order_id) REFERENCES stock_order(id) ON DELETE CASCADE,
  constraint supplier_message_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id)
);
CREATE INDEX supplier_message_by_order ON supplier_message USING btree (purchase_order_id, received_at);
CREATE INDEX supplier_message_by_stock_order ON supplier_message USING btree (stock_order_id, received_at) WHERE (stock_order_id IS NOT NULL);

-- Returns of our stock to suppliers, with the credit that each supplier gave.
create table supplier_return (
  id bigint not null generated always as identity,
  submission_key uuid not null,
  supplier_id smallint not null,
  warehouse_id smallint not null,
  state text not null default 'draft'::text,
  rma text, -- The supplier’s number for the return.
  note text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  created_by text not null,
  sent_at timestamp with time zone,
  sent_by text,
  credited_at timestamp with time zone,
  credited_by text,
  credit_cents integer, -- The credit of the supplier in cents; null until it is received.
  credit_reference text, -- The number of the supplier’s credit memo.
  canceled_at timestamp with time zone,
  canceled_by text,
  constraint supplier_return_pkey PRIMARY KEY (id),
  constraint supplier_return_submission_key_key UNIQUE (submission_key),
  constraint supplier_return_canceled CHECK ((((state = 'canceled'::text) = (canceled_at IS NOT NULL)) AND ((canceled_at IS NULL) = (canceled_by IS NULL)))),
  constraint supplier_return_credit_cents_check CHECK (((credit_cents >= 0) AND (credit_cents <= 1000000000))),
  constraint supplier_return_credit_reference_check CHECK (((length(credit_reference) >= 1) AND (length(credit_reference) <= 60))),
  constraint supplier_return_credited CHECK ((((state = 'credited'::text) = (credited_at IS NOT NULL)) AND ((credited_at IS NULL) = (credited_by IS NULL)) AND ((credited_at IS NULL) = (credit_cents IS NULL)))),
  constraint supplier_return_note_check CHECK (((length(note) >= 1) AND (length(note) <= 400))),
  constraint supplier_return_rma_check CHECK (((length(rma) >= 1) AND (length(rma) <= 60))),
  constraint supplier_return_sent CHECK ((((state = ANY (ARRAY['sent'::text, 'credited'::text])) = (sent_at IS NOT NULL)) AND ((sent_at IS NULL) = (sent_by IS NULL)) AND ((sent_at IS NULL) OR (rma IS NOT NULL)))),
  constraint supplier_return_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'sent'::text, 'credited'::text, 'canceled'::text]))),
  constraint supplier_return_version_check CHECK ((version > 0)),
  constraint supplier_return_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id),
  constraint supplier_return_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX supplier_return_by_supplier ON supplier_return USING btree (supplier_id);
CREATE INDEX supplier_return_by_warehouse ON supplier_return USING btree (warehouse_id);

-- The tires of a return to a supplier, with the credit that is expected for a unit.
create table supplier_return_line (
  supplier_return_id bigint not null,
  item_id integer not null,
  quantity integer not null,
  unit_credit_cents integer not null,
  constraint supplier_return_line_pkey PRIMARY KEY (supplier_return_id, item_id),
  constraint supplier_return_line_quantity_check CHECK (((quantity >= 1) AND (quantity <= 10000))),
  constraint supplier_return_line_unit_credit_cents_check CHECK (((unit_credit_cents >= 1) AND (unit_credit_cents <= 1000000))),
  constraint supplier_return_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint supplier_return_line_supplier_return_id_fkey FOREIGN KEY (supplier_return_id) REFERENCES supplier_return(id) ON DELETE CASCADE
);
CREATE INDEX supplier_return_line_by_item ON supplier_return_line USING btree (item_id);

-- Pictures that came with a message, drawn anew.
create table support_attachment (
  request_id bigint not null,
  name text not null,
  file_key uuid not null,
  constraint support_attachment_pkey PRIMARY KEY (request_id),
  constraint support_attachment_file UNIQUE (file_key),
  constraint support_attachment_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint support_attachment_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint support_attachment_request_id_fkey FOREIGN KEY (request_id) REFERENCES support_request(id)
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON support_attachment FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- What was said in the thread of a message or lead after it came in.
create table support_reply (
  id bigint not null generated always as identity,
  request_id bigint not null,
  kind text not null,
  author text not null,
  body text not null,
  once_key text not null,
  at timestamp with time zone not null,
  channel text not null default 'email'::text,
  constraint support_reply_pkey PRIMARY KEY (id),
  constraint support_reply_once_key_key UNIQUE (once_key),
  constraint support_reply_author_check CHECK (((length(author) >= 1) AND (length(author) <= 254))),
  constraint support_reply_body_check CHECK (((length(body) >= 1) AND (length(body) <= 10000))),
  constraint support_reply_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'text'::text]))),
  constraint support_reply_kind_check CHECK ((kind = ANY (ARRAY['out'::text, 'in'::text, 'note'::text]))),
  constraint support_reply_once_key_check CHECK (((length(once_key) >= 1) AND (length(once_key) <= 300))),
  constraint support_reply_request_id_fkey FOREIGN KEY (request_id) REFERENCES support_request(id) ON DELETE CASCADE
);
CREATE INDEX support_reply_by_request ON support_reply USING btree (request_id, id);

-- Files that came with an emailed answer; pictures are encoded again.
create table support_reply_file (
  reply_id bigint not null,
  place smallint not null,
  name text not null,
  file_key uuid not null,
  constraint support_reply_file_pkey PRIMARY KEY (reply_id, place),
  constraint support_reply_file_file UNIQUE (file_key),
  constraint support_reply_file_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint support_reply_file_place_check CHECK (((place >= 1) AND (place <= 5))),
  constraint support_reply_file_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint support_reply_file_reply_id_fkey FOREIGN KEY (reply_id) REFERENCES support_reply(id) ON DELETE CASCADE
);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON support_reply_file FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- Messages and leads, until they are closed.
create table support_request (
  id bigint not null generated always as identity,
  kind text not null,
  state text not null default 'open'::text,
  name text not null,
  email text not null,
  phone text,
  order_number text,
  subject text not null,
  message text not null,
  quantity integer,
  vehicle text,
  size text,
  brand text,
  said bytea not null,
  network_key text,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  closed_by text,
  assigned_to text,
  waiting_since timestamp with time zone,
  constraint support_request_pkey PRIMARY KEY (id),
  constraint support_request_assigned_to_check CHECK (((assigned_to = lower(assigned_to)) AND ((length(assigned_to) >= 3) AND (length(assigned_to) <= 254)))),
  constraint support_request_check CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint support_request_check1 CHECK (((state = 'closed'::text) = (closed_by IS NOT NULL))),
  constraint support_request_check2 CHECK (((state = 'open'::text) OR (network_key IS NULL))),
  constraint support_request_check3 CHECK (((kind = 'lead'::text) = (quantity IS NOT NULL))),
  constraint support_request_check4 CHECK (((kind = 'contact'::text) OR (num_nonnulls(vehicle, size) > 0))),
  constraint support_request_check5 CHECK (((kind = 'lead'::text) OR (num_nonnulls(vehicle, size, brand) = 0))),
  constraint support_request_closed_waits_not CHECK (((state = 'open'::text) OR (waiting_since IS NULL))), -- Nobody waits for an answer to a closed request.
  constraint support_request_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint support_request_kind_check CHECK ((kind = ANY (ARRAY['contact'::text, 'lead'::text]))),
  constraint support_request_message_check CHECK ((length(message) <= 3000)),
  constraint support_request_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint support_request_quantity_check CHECK (((quantity >= 1) AND (quantity <= 400))),
  constraint support_request_said_check CHECK ((octet_length(said) = 32)),
  constraint support_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint support_request_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 80)))
);
CREATE INDEX support_request_assigned ON support_request USING btree (assigned_to, id DESC) WHERE (state = 'open'::text);
CREATE INDEX support_request_by_email ON support_request USING btree (email, created_at);
CREATE INDEX support_request_by_network ON support_request USING btree (network_key, created_at) WHERE (network_key IS NOT NULL);
CREATE INDEX support_request_by_order ON support_request USING btree (order_number, id) WHERE (order_number IS NOT NULL);
CREATE INDEX support_request_by_time ON support_request USING btree (created_at, id) WHERE (state = 'open'::text);
CREATE INDEX support_request_closed ON support_request USING btree (id DESC) WHERE (state = 'closed'::text);
CREATE INDEX support_request_open ON support_request USING btree (id DESC) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX support_request_said_once ON support_request USING btree (said) WHERE (state = 'open'::text);
CREATE INDEX support_request_waiting ON support_request USING btree (waiting_since, id) WHERE (waiting_since IS NOT NULL);

-- Reusable answers for messages and leads, edited by managers.
create table support_template (
  id bigint not null generated always as identity,
  name text not null,
  body text not null,
  changed_by text not null,
  changed_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  version integer not null default 1, -- Rises with each change, so that a form can tell that it is out of date.
  constraint support_template_pkey PRIMARY KEY (id),
  constraint support_template_body_check CHECK (((length(body) >= 1) AND (length(body) <= 3000))),
  constraint support_template_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint support_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint support_template_version_check CHECK ((version >= 1))
);
CREATE UNIQUE INDEX support_template_name_once ON support_template USING btree (lower(name)) WHERE (retired_at IS NULL);

-- Purchases of the synthetic buyer of a demo: what came of each, and its order.
create table synthetic_purchase (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  failed_step text,
  ms integer not null,
  order_id bigint,
  constraint synthetic_purchase_pkey PRIMARY KEY (id),
  constraint synthetic_purchase_order_id_key UNIQUE (order_id),
  constraint synthetic_purchase_failed_step_check CHECK (((length(failed_step) >= 1) AND (length(failed_step) <= 20))),
  constraint synthetic_purchase_ms_check CHECK ((ms >= 0)),
  constraint synthetic_purchase_succeeded_with_order CHECK (((failed_step IS NOT NULL) OR (order_id IS NOT NULL))),
  constraint synthetic_purchase_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX synthetic_purchase_by_time ON synthetic_purchase USING btree (at);

-- Phone numbers and whether they agreed to text messages, to which words and when.
create table text_consent (
  phone text not null,
  state text not null,
  words text not null,
  asked_at timestamp with time zone not null,
  asked_from text,
  confirmed_at timestamp with time zone,
  stopped_at timestamp with time zone,
  constraint text_consent_pkey PRIMARY KEY (phone),
  constraint text_consent_asked_from_check CHECK ((length(asked_from) <= 64)),
  constraint text_consent_confirmed_whole CHECK (((state <> 'confirmed'::text) OR (confirmed_at IS NOT NULL))),
  constraint text_consent_phone_check CHECK ((phone ~ '^\+1[2-9]\d{9}$'::text)),
  constraint text_consent_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'confirmed'::text, 'stopped'::text]))),
  constraint text_consent_stopped_whole CHECK (((state = 'stopped'::text) = (stopped_at IS NOT NULL))),
  constraint text_consent_words_check CHECK (((length(words) >= 1) AND (length(words) <= 600)))
);

-- Every agreement and every stop of a phone number; proof that is only added to.
create table text_consent_event (
  id bigint not null generated always as identity,
  phone text not null,
  what text not null,
  words text not null,
  at timestamp with time zone not null,
  wording smallint,
  constraint text_consent_event_pkey PRIMARY KEY (id),
  constraint text_consent_event_what_check CHECK ((what = ANY (ARRAY['asked'::text, 'confirmed'::text, 'stopped'::text, 'resumed'::text]))),
  constraint text_consent_event_wording_check CHECK ((wording > 0)),
  constraint text_consent_event_words_check CHECK (((length(words) >= 1) AND (length(words) <= 600))),
  constraint text_consent_event_phone_fkey FOREIGN KEY (phone) REFERENCES text_consent(phone)
);
CREATE INDEX text_consent_event_by_phone ON text_consent_event USING btree (phone, id);

-- Text messages queued and sent, each once.
create table text_message (
  id uuid not null,
  key text not null,
  kind text not null,
  phone text not null,
  order_id bigint,
  body text,
  state text not null default 'queued'::text,
  provider_ref text,
  error_code integer,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint text_message_pkey PRIMARY KEY (id),
  constraint text_message_key_key UNIQUE (key),
  constraint text_message_provider_ref_key UNIQUE (provider_ref),
  constraint text_message_body_check CHECK (((length(body) >= 1) AND (length(body) <= 1600))),
  constraint text_message_key_check CHECK (((length(key) >= 1) AND (length(key) <= 200))),
  constraint text_message_kind_check CHECK ((kind = ANY (ARRAY['recall'::text, 'confirm-request'::text, 'welcome'::text, 'shipped'::text, 'delivered'::text, 'appointment-reminder'::text, 'appointment-soon'::text, 'quote'::text, 'earlier-time'::text, 'staff'::text, 'shop-news'::text, 'shop-late'::text]))),
  constraint text_message_sent_whole CHECK (((state = ANY (ARRAY['sent'::text, 'delivered'::text, 'undelivered'::text])) <= ((provider_ref IS NOT NULL) AND (body IS NOT NULL) AND (sent_at IS NOT NULL)))),
  constraint text_message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'undelivered'::text, 'failed'::text, 'dropped'::text]))),
  constraint text_message_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint text_message_phone_fkey FOREIGN KEY (phone) REFERENCES text_consent(phone)
);
CREATE INDEX text_message_by_order ON text_message USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX text_message_by_phone ON text_message USING btree (phone, created_at);

-- Orders whose shopper asked for texts about them.
create table text_order (
  order_id bigint not null,
  phone text not null,
  asked_at timestamp with time zone not null,
  constraint text_order_pkey PRIMARY KEY (order_id),
  constraint text_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint text_order_phone_fkey FOREIGN KEY (phone) REFERENCES text_consent(phone)
);
CREATE INDEX text_order_by_phone ON text_order USING btree (phone);

-- What narrows the tires of promotions and coupons. A value: equal filters are one row, which is never edited.
create table tire_filter (
  id integer not null generated always as identity,
  type_slug text,
  category_slug text,
  size_id integer,
  season text, -- The tread of the model.
  vehicle_class text, -- Follows from the kind of the size, as tires_of_filter has it.
  supplier_code text, -- Tires that one of its warehouses stocks, or has stocked.
  constraint tire_filter_pkey PRIMARY KEY (id),
  constraint tire_filter_once UNIQUE NULLS NOT DISTINCT (type_slug, category_slug, size_id, season, vehicle_class, supplier_code),
  constraint tire_filter_narrows CHECK ((num_nonnulls(type_slug, category_slug, size_id, season, vehicle_class, supplier_code) >= 1)),
  constraint tire_filter_season_check CHECK ((season = ANY (ARRAY['all-season'::text, 'all-weather'::text, 'summer'::text, 'winter'::text]))),
  constraint tire_filter_vehicle_class_check CHECK ((vehicle_class = ANY (ARRAY['passenger'::text, 'light-truck'::text, 'trailer'::text, 'commercial'::text]))),
  constraint tire_filter_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES category(slug),
  constraint tire_filter_size_id_fkey FOREIGN KEY (size_id) REFERENCES size(id),
  constraint tire_filter_supplier_code_fkey FOREIGN KEY (supplier_code) REFERENCES supplier(code),
  constraint tire_filter_type_slug_fkey FOREIGN KEY (type_slug) REFERENCES tire_type(slug)
);
CREATE TRIGGER tire_filter_never_edited BEFORE UPDATE ON tire_filter FOR EACH ROW EXECUTE FUNCTION tire_filter_is_never_edited(); -- Promotions and coupons share filters.

-- Who has which tire, for recalls (49 CFR 574.7); made when a job is finished.
create table tire_registration (
  id bigint not null generated always as identity,
  booking_id uuid not null,
  line_no smallint not null,
  nth smallint not null,
  position text not null,
  order_id bigint not null,
  shop_id integer not null,
  tin text not null,
  brand text not null,
  line text not null,
  size text not null,
  buyer_name text not null,
  street text not null,
  city text not null,
  us_state text not null,
  zip text not null,
  installed_at timestamp with time zone not null,
  export_no integer,
  plant text not null generated always as ("left"(tin,
CASE length(tin)
    WHEN 13 THEN 3
    ELSE 2
END)) stored,
  made_week integer not null generated always as ((((2000 + ("right"(tin, 2))::integer) * 100) + ("left"("right"(tin, 4), 2))::integer)) stored,
  constraint tire_registration_pkey PRIMARY KEY (id),
  constraint tire_registration_once UNIQUE (booking_id, line_no, nth),
  constraint tire_registration_brand_check CHECK (((length(brand) >= 1) AND (length(brand) <= 100))),
  constraint tire_registration_buyer_name_check CHECK (((length(buyer_name) >= 1) AND (length(buyer_name) <= 120))),
  constraint tire_registration_city_check CHECK (((length(city) >= 1) AND (length(city) <= 100))),
  constraint tire_registration_line_check CHECK (((length(line) >= 1) AND (length(line) <= 200))),
  constraint tire_registration_size_check CHECK (((length(size) >= 1) AND (length(size) <= 40))),
  constraint tire_registration_street_check CHECK (((length(street) >= 1) AND (length(street) <= 200))),
  constraint tire_registration_tin_check CHECK ((tin ~ '^[A-HJ-NPR-Z0-9]{4,9}(0[1-9]|[1-4][0-9]|5[0-3])[0-9]{2}$'::text)),
  constraint tire_registration_us_state_check CHECK ((us_state ~ '^[A-Z]{2}$'::text)),
  constraint tire_registration_zip_check CHECK ((zip ~ '^\d{5}$'::text)),
  constraint tire_registration_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint tire_registration_export_no_fkey FOREIGN KEY (export_no) REFERENCES tire_registration_export(no),
  constraint tire_registration_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint tire_registration_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX tire_registration_by_tin ON tire_registration USING btree (plant, made_week);
CREATE INDEX tire_registration_of_export ON tire_registration USING btree (export_no, id) WHERE (export_no IS NOT NULL);
CREATE INDEX tire_registration_of_order ON tire_registration USING btree (order_id);
CREATE INDEX tire_registration_of_shop ON tire_registration USING btree (shop_id);
CREATE INDEX tire_registration_waiting ON tire_registration USING btree (brand, id) WHERE (export_no IS NULL);
CREATE TRIGGER tire_registration_stays BEFORE UPDATE ON tire_registration FOR EACH ROW EXECUTE FUNCTION tire_registration_stays(); -- A registration is in one export, and keeps its number.

-- Registrations of tires as handed to their maker, at least every 30 days (49 CFR 574.8).
create table tire_registration_export (
  no integer not null generated always as identity,
  brand text not null,
  exported_at timestamp with time zone not null,
  exported_by text not null,
  tires integer not null,
  constraint tire_registration_export_pkey PRIMARY KEY (no),
  constraint tire_registration_export_brand_check CHECK (((length(brand) >= 1) AND (length(brand) <= 100))),
  constraint tire_registration_export_exported_by_check CHECK (((length(exported_by) >= 1) AND (length(exported_by) <= 254))),
  constraint tire_registration_export_tires_check CHECK ((tires > 0))
);

-- The rotations of the tires of an order, as the owner logged them.
create table tire_rotation (
  account_id uuid not null,
  order_id bigint not null,
  nth smallint not null,
  rotated_on date not null,
  odometer_miles integer not null,
  place text not null,
  logged_at timestamp with time zone not null,
  constraint tire_rotation_pkey PRIMARY KEY (account_id, order_id, nth),
  constraint tire_rotation_once_a_day UNIQUE (account_id, order_id, rotated_on),
  constraint tire_rotation_nth_check CHECK (((nth >= 1) AND (nth <= 40))),
  constraint tire_rotation_odometer_miles_check CHECK (((odometer_miles >= 0) AND (odometer_miles <= 999999))),
  constraint tire_rotation_place_check CHECK (((length(place) >= 1) AND (length(place) <= 80))),
  constraint tire_rotation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint tire_rotation_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX tire_rotation_of_order ON tire_rotation USING btree (order_id);
CREATE TRIGGER tire_rotation_forward BEFORE INSERT OR UPDATE ON tire_rotation FOR EACH ROW EXECUTE FUNCTION tire_rotation_forward(); -- An odometer never goes back from one rotation to the next.

-- Types of tires, such as all-season.
create table tire_type (
  slug text not null,
  name text not null,
  definition text not null,
  position smallint not null,
  audience text not null default ''::text,
  version integer not null default 1, -- Rises with each change, so that a form can tell that it is out of date.
  retired boolean not null default false, -- Takes no new categories.
  constraint tire_type_pkey PRIMARY KEY (slug),
  constraint tire_type_position_key UNIQUE ("position") DEFERRABLE,
  constraint tire_type_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint tire_type_version_check CHECK ((version >= 1))
);
CREATE TRIGGER tire_type_retired_unused BEFORE UPDATE OF retired ON tire_type FOR EACH ROW WHEN ((new.retired AND (NOT old.retired))) EXECUTE FUNCTION refuse_to_retire_used_tire_type(); -- The categories of a tire type are retired or moved first.

-- ZIP codes a van comes to.
create table van_area (
  zip text not null,
  shop_id integer not null,
  constraint van_area_pkey PRIMARY KEY (zip, shop_id),
  constraint van_area_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE,
  constraint van_area_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);
CREATE INDEX van_area_by_shop ON van_area USING btree (shop_id);

-- Vehicles by year, make, model and trim.
create table vehicle (
  id integer not null generated always as identity,
  year smallint not null,
  make text not null,
  model text not null,
  trim text not null,
  make_slug text not null,
  model_slug text not null,
  trim_slug text not null,
  vclass text not null,
  drive text not null default 'na'::text,
  constraint vehicle_pkey PRIMARY KEY (id),
  constraint vehicle_year_make_slug_model_slug_trim_slug_key UNIQUE (year, make_slug, model_slug, trim_slug),
  constraint vehicle_drive_check CHECK ((drive = ANY (ARRAY['fwd'::text, 'rwd'::text, 'awd'::text, '4wd'::text, 'na'::text]))),
  constraint vehicle_vclass_check CHECK ((vclass = ANY (ARRAY['car'::text, 'suv'::text, 'truck'::text, 'van'::text, 'trailer'::text, 'commercial'::text]))),
  constraint vehicle_year_check CHECK (((year >= 1950) AND (year <= 2100)))
);
CREATE INDEX vehicle_by_model ON vehicle USING btree (make_slug, model_slug, year);

-- Names and vehicles for the codes in ACES files. The licensee of those lists enters them.
create table vehicle_code (
  id integer not null generated always as identity,
  kind text not null, -- A base vehicle is a year, make, and model; the others are names.
  code text not null,
  year smallint,
  make text,
  make_slug text,
  model text,
  model_slug text,
  name text,
  slug text,
  constraint vehicle_code_pkey PRIMARY KEY (id),
  constraint vehicle_code_kind_code_key UNIQUE (kind, code),
  constraint vehicle_code_code_check CHECK ((code ~ '^[0-9A-Z]{1,9}$'::text)),
  constraint vehicle_code_kind_check CHECK ((kind = ANY (ARRAY['base-vehicle'::text, 'make'::text, 'model'::text, 'submodel'::text, 'position'::text, 'brand'::text, 'price-type'::text]))),
  constraint vehicle_code_names CHECK (
CASE
    WHEN (kind = 'base-vehicle'::text) THEN (num_nulls(year, make, make_slug, model, model_slug) = 0)
    ELSE (num_nulls(name, slug) = 0)
END),
  constraint vehicle_code_year_check CHECK (((year >= 1900) AND (year <= 2100)))
);

-- Warehouses that tires are shipped from.
create table warehouse (
  id smallint not null,
  code text not null,
  name text not null,
  city text not null,
  state text not null,
  zip text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  cutoff time without time zone not null,
  street text not null default ''::text,
  supplier_id smallint,
  pool text not null default 'on-hand'::text, -- on-hand: the store holds the tires itself. local, nationwide: a supplier does, and ships them regionally or everywhere.
  version integer not null default 1, -- Rises with each change, so that a form can tell that it is out of date.
  changed_at timestamp with time zone,
  changed_by text,
  ships_by_hand boolean not null default false, -- No labels are bought for its parcels: staff enter each tracking number.
  retired_at timestamp with time zone, -- Since when nothing is sold from it: it is closing, or its supplier was retired.
  closes_on date, -- The local day on which it begins to close; null if that is not planned, or has begun.
  closed_at timestamp with time zone, -- When it was closed, with nothing left to do; null while it is open or closing.
  handling_days smallint not null default 0, -- Business days that it needs to hand an order to the carrier; 0 ships the same day until the cutoff.
  transit_near_days smallint not null default 2, -- Business days in transit within 500 miles, in the contiguous states.
  transit_mid_days smallint not null default 3, -- Business days in transit from 500 to 1,200 miles, in the contiguous states.
  transit_far_days smallint not null default 4, -- Business days in transit beyond 1,200 miles, in the contiguous states.
  transit_alaska_days smallint not null default 7, -- Business days in transit to Alaska.
  transit_hawaii_days smallint not null default 7, -- Business days in transit to Hawaii.
  transit_territory_days smallint not null default 10, -- Business days in transit to the territories.
  offers_pickup boolean not null default true, -- Whether shoppers can choose to pick up there, in its pickup hours. Orders already placed are still picked up after it is turned off.
  ship_days smallint[] not null default '{1,2,3,4,5}'::smallint[], -- Weekdays on which it handles and ships orders, 1 for Monday; never on federal holidays.
  closed_days date[] not null default '{}'::date[], -- Days on which it neither ships nor has pickup, in order.
  carriers text[] not null default '{}'::text[], -- The only carriers that it ships with, first choice first; any carrier if empty.
  day_cutoffs time without time zone[] not null default '{}'::time without time zone[], -- Cutoffs by weekday from Monday, where null has the general one; empty if all have it.
  supplier_retired_at timestamp with time zone, -- When its supplier was retired, which closed it if it was open.
  branch text, -- The supplier’s ID of this warehouse in its availability service.
  unserved_zones text[] not null default '{}'::text[], -- Zones that it does not ship to: near, mid and far by distance in the contiguous states, and the regions elsewhere.
  pickup_ready_hours smallint not null default 24, -- Hours after its release until an order is ready for pickup, at most.
  pickup_kept_days smallint not null default 7, -- Days that a ready order is kept.
  pickup_note text not null default ''::text, -- Directions to the counter for customers; empty without.
  zone_carriers text[] not null default '{}'::text[], -- First choices by zone, in the order near, mid, far, AK, HI, TERRITORY; null where the order of the carriers counts, and empty if it does everywhere.
  constraint warehouse_pkey PRIMARY KEY (id),
  constraint warehouse_branch_once UNIQUE (supplier_id, branch),
  constraint warehouse_code_key UNIQUE (code),
  constraint warehouse_branch_check CHECK ((branch ~ '^[A-Za-z0-9._-]{1,40}$'::text)),
  constraint warehouse_branch_of_supplier CHECK (((branch IS NULL) OR (supplier_id IS NOT NULL))),
  constraint warehouse_carriers_check CHECK ((carriers <@ '{UPS,FedEx,USPS,OnTrac}'::text[])),
  constraint warehouse_changed_by_check CHECK (((length(changed_by) >= 1) AND (length(changed_by) <= 254))),
  constraint warehouse_changed_whole CHECK (((changed_at IS NULL) = (changed_by IS NULL))),
  constraint warehouse_closed_days_check CHECK (((cardinality(closed_days) <= 60) AND (array_position(closed_days, NULL::date) IS NULL))),
  constraint warehouse_closing_before_closed CHECK (((closed_at IS NULL) OR (retired_at IS NOT NULL))),
  constraint warehouse_code_check CHECK ((code ~ '^[A-Z0-9]{2,10}$'::text)),
  constraint warehouse_day_cutoffs_check CHECK ((cardinality(day_cutoffs) = ANY (ARRAY[0, 7]))),
  constraint warehouse_handling_days_check CHECK (((handling_days >= 0) AND (handling_days <= 10))),
  constraint warehouse_pickup_kept_days_check CHECK (((pickup_kept_days >= 3) AND (pickup_kept_days <= 30))),
  constraint warehouse_pickup_note_check CHECK ((length(pickup_note) <= 300)),
  constraint warehouse_pickup_ready_hours_check CHECK (((pickup_ready_hours >= 1) AND (pickup_ready_hours <= 24))),
  constraint warehouse_pool_check CHECK ((pool = ANY (ARRAY['on-hand'::text, 'local'::text, 'nationwide'::text]))),
  constraint warehouse_pool_of_its_holder CHECK (((pool = 'on-hand'::text) = (supplier_id IS NULL))),
  constraint warehouse_retired_with_supplier CHECK (((supplier_retired_at IS NULL) OR ((supplier_id IS NOT NULL) AND (retired_at IS NOT NULL) AND (closes_on IS NULL)))),
  constraint warehouse_scheduled_while_open CHECK (((closes_on IS NULL) OR (retired_at IS NULL))),
  constraint warehouse_ship_days_check CHECK ((((cardinality(ship_days) >= 1) AND (cardinality(ship_days) <= 7)) AND (ship_days <@ '{1,2,3,4,5,6,7}'::smallint[]))),
  constraint warehouse_transit_alaska_days_check CHECK (((transit_alaska_days >= 1) AND (transit_alaska_days <= 30))),
  constraint warehouse_transit_far_days_check CHECK (((transit_far_days >= 1) AND (transit_far_days <= 30))),
  constraint warehouse_transit_hawaii_days_check CHECK (((transit_hawaii_days >= 1) AND (transit_hawaii_days <= 30))),
  constraint warehouse_transit_mid_days_check CHECK (((transit_mid_days >= 1) AND (transit_mid_days <= 30))),
  constraint warehouse_transit_near_days_check CHECK (((transit_near_days >= 1) AND (transit_near_days <= 30))),
  constraint warehouse_transit_territory_days_check CHECK (((transit_territory_days >= 1) AND (transit_territory_days <= 30))),
  constraint warehouse_unserved_zones_check CHECK ((unserved_zones <@ '{near,mid,far,AK,HI,TERRITORY}'::text[])),
  constraint warehouse_version_check CHECK ((version >= 1)),
  constraint warehouse_zone_carriers_check CHECK (((cardinality(zone_carriers) = ANY (ARRAY[0, 6])) AND (array_remove(zone_carriers, NULL::text) <@ '{UPS,FedEx,USPS,OnTrac}'::text[]))),
  constraint warehouse_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES supplier(id)
);
CREATE TRIGGER note_warehouse_changes AFTER INSERT OR UPDATE ON warehouse FOR EACH STATEMENT EXECUTE FUNCTION note_warehouse_changes(); -- Every process reads delivery days again.
CREATE TRIGGER warehouse_closes_empty BEFORE UPDATE OF closed_at ON warehouse FOR EACH ROW WHEN (((new.closed_at IS NOT NULL) AND (old.closed_at IS NULL))) EXECUTE FUNCTION warehouse_closes_empty(); -- A warehouse is closed once nothing is open there.

-- When buyers can pick up at a warehouse, from Monday, 1; one without hours hands nothing out.
create table warehouse_hours (
  warehouse_id smallint not null,
  weekday smallint not null,
  opens time without time zone not null,
  closes time without time zone not null,
  constraint warehouse_hours_pkey PRIMARY KEY (warehouse_id, weekday),
  constraint warehouse_hours_check CHECK ((opens < closes)),
  constraint warehouse_hours_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7))),
  constraint warehouse_hours_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);

-- Orders picked up at a warehouse, from their release: made ready, kept for some days, handed over for the code.
create table warehouse_pickup (
  order_id bigint not null,
  warehouse_id smallint not null,
  ready_by timestamp with time zone not null,
  ready_at timestamp with time zone,
  keep_until date,
  reminded_at timestamp with time zone,
  handed_over_at timestamp with time zone,
  handed_over_by text,
  wrong_codes smallint not null default 0, -- Wrong codes in a row; at five the counter waits.
  wrong_code_at timestamp with time zone,
  constraint warehouse_pickup_pkey PRIMARY KEY (order_id),
  constraint warehouse_pickup_by_somebody CHECK (((handed_over_at IS NULL) = (handed_over_by IS NULL))),
  constraint warehouse_pickup_kept CHECK (((ready_at IS NULL) = (keep_until IS NULL))),
  constraint warehouse_pickup_ready_first CHECK (((handed_over_at IS NULL) OR (ready_at IS NOT NULL))),
  constraint warehouse_pickup_wrong_codes_check CHECK (((wrong_codes >= 0) AND (wrong_codes <= 5))),
  constraint warehouse_pickup_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint warehouse_pickup_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);
CREATE INDEX warehouse_pickup_open ON warehouse_pickup USING btree (ready_by) WHERE (handed_over_at IS NULL);

-- Business days in transit by ZIP prefix, from a file that staff imported. Other ZIP codes have the days of their zone.
create table warehouse_transit (
  warehouse_id smallint not null,
  zip_prefix text not null,
  region text not null, -- The region of the prefix, for the ranges that pages name.
  days smallint not null,
  constraint warehouse_transit_pkey PRIMARY KEY (warehouse_id, zip_prefix),
  constraint warehouse_transit_days_check CHECK (((days >= 1) AND (days <= 30))),
  constraint warehouse_transit_region_check CHECK ((region = ANY (ARRAY['CONUS'::text, 'AK'::text, 'HI'::text, 'TERRITORY'::text]))),
  constraint warehouse_transit_zip_prefix_check CHECK ((zip_prefix ~ '^\d{3}$'::text)),
  constraint warehouse_transit_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id) ON DELETE CASCADE
);

-- An event on its way to one endpoint: waiting, delivered, or a dead letter.
create table webhook_delivery (
  id bigint not null generated always as identity,
  event_id bigint not null,
  endpoint_id uuid not null,
  order_id bigint,
  state text not null,
  attempts smallint not null default 0,
  next_at timestamp with time zone,
  first_tried_at timestamp with time zone,
  tried_at timestamp with time zone,
  status smallint,
  fault text,
  body text,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_once UNIQUE (event_id, endpoint_id),
  constraint webhook_delivery_answered CHECK (((state <> 'delivered'::text) OR ((status >= 200) AND (status <= 299)))),
  constraint webhook_delivery_attempts_check CHECK (((attempts >= 0) AND (attempts <= 100))),
  constraint webhook_delivery_body_check CHECK ((length(body) <= 500000)),
  constraint webhook_delivery_dead_why CHECK (((state <> 'dead'::text) OR (fault IS NOT NULL) OR (status IS NOT NULL))),
  constraint webhook_delivery_fault_check CHECK ((length(fault) <= 200)),
  constraint webhook_delivery_settled_when CHECK (((state = 'waiting'::text) = (settled_at IS NULL))),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'dead'::text]))),
  constraint webhook_delivery_status_check CHECK (((status >= 100) AND (status <= 599))),
  constraint webhook_delivery_waiting_for_when CHECK (((state = 'waiting'::text) = (next_at IS NOT NULL))),
  constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id),
  constraint webhook_delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES webhook_event(id) ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_ahead ON webhook_delivery USING btree (endpoint_id, order_id, id) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_delivery_dead ON webhook_delivery USING btree (id DESC) WHERE (state = 'dead'::text);
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (next_at) WHERE (state = 'waiting'::text);

-- Addresses of companies, partners and the store that are sent events.
create table webhook_endpoint (
  id uuid not null,
  company_id uuid,
  widget_id text,
  url text not null,
  event_types text[] not null,
  state text not null default 'active'::text,
  paused_because text,
  secret_no integer not null default 1,
  rotated_at timestamp with time zone,
  secret_shown_at timestamp with time zone,
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  is_store boolean not null default false, -- Managed in the back office and sent events of the whole store.
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 40))),
  constraint webhook_endpoint_one_owner CHECK (((num_nonnulls(company_id, widget_id) + (is_store)::integer) = 1)),
  constraint webhook_endpoint_paused_because_check CHECK ((paused_because = ANY (ARRAY['owner'::text, 'failing'::text, 'gone'::text]))),
  constraint webhook_endpoint_paused_why CHECK (((state = 'paused'::text) = (paused_because IS NOT NULL))),
  constraint webhook_endpoint_secret_no_check CHECK (((secret_no >= 1) AND (secret_no <= 100000))),
  constraint webhook_endpoint_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'removed'::text]))),
  constraint webhook_endpoint_types_of_owner CHECK ((is_store OR (event_types <@ ARRAY['order.placed'::text, 'order.canceled'::text, 'shipment.shipped'::text, 'shipment.delivered'::text, 'appointment.booked'::text, 'appointment.moved'::text, 'appointment.canceled'::text, 'return.requested'::text, 'return.received'::text, 'return.refunded'::text]))),
  constraint webhook_endpoint_url_check CHECK ((((length(url) >= 10) AND (length(url) <= 500)) AND (url ~ '^https?://'::text))),
  constraint webhook_endpoint_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint webhook_endpoint_widget_id_fkey FOREIGN KEY (widget_id) REFERENCES partner_widget(id)
);
CREATE UNIQUE INDEX webhook_endpoint_of_company_once ON webhook_endpoint USING btree (company_id, url) WHERE ((state <> 'removed'::text) AND (company_id IS NOT NULL));
CREATE UNIQUE INDEX webhook_endpoint_of_store_once ON webhook_endpoint USING btree (url) WHERE ((state <> 'removed'::text) AND is_store);
CREATE UNIQUE INDEX webhook_endpoint_of_widget_once ON webhook_endpoint USING btree (widget_id, url) WHERE ((state <> 'removed'::text) AND (widget_id IS NOT NULL));

-- What happened that some endpoint is sent, written with the fact itself.
create table webhook_event (
  id bigint not null generated always as identity,
  public_id uuid not null default gen_random_uuid(),
  type text not null,
  order_id bigint,
  shipment_id uuid,
  booking_id uuid,
  return_id bigint,
  at timestamp with time zone not null,
  traceparent text default "left"(NULLIF(current_setting('sidewall.traceparent'::text, true), ''::text), 55), -- The trace in which the event happened, as W3C Trace Context writes it; null where nothing was traced.
  fact text, -- What the event reports, such as a booking's change; null for events that are repeated.
  item_id integer, -- The tire whose stock changed; null where one statement changed more tires than are worth naming.
  warehouse_id smallint,
  shop_id integer,
  is_open boolean not null default false, -- Stock that changes again before the event is sent is part of it.
  constraint webhook_event_pkey PRIMARY KEY (id),
  constraint webhook_event_public_id_key UNIQUE (public_id),
  constraint webhook_event_fact_check CHECK (((length(fact) >= 1) AND (length(fact) <= 100))),
  constraint webhook_event_of_order CHECK (((type ~ '^(webhook|stock|shop)\.'::text) = (order_id IS NULL))),
  constraint webhook_event_of_shop CHECK (((type ~ '^shop\.'::text) = (shop_id IS NOT NULL))),
  constraint webhook_event_of_stock CHECK (((num_nonnulls(item_id, warehouse_id) = ANY (ARRAY[0, 2])) AND ((item_id IS NULL) OR (type = 'stock.changed'::text)) AND ((item_id IS NOT NULL) OR (NOT is_open)))),
  constraint webhook_event_type_check CHECK ((type = ANY (ARRAY['order.placed'::text, 'order.changed'::text, 'order.canceled'::text, 'shipment.shipped'::text, 'shipment.delivered'::text, 'appointment.booked'::text, 'appointment.moved'::text, 'appointment.canceled'::text, 'appointment.completed'::text, 'return.requested'::text, 'return.received'::text, 'return.refunded'::text, 'return.refused'::text, 'return.canceled'::text, 'refund.issued'::text, 'stock.changed'::text, 'shop.opened'::text, 'shop.changed'::text, 'shop.paused'::text, 'shop.suspended'::text, 'shop.closed'::text, 'webhook.test'::text]))),
  constraint webhook_event_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE SET NULL,
  constraint webhook_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint webhook_event_return_id_fkey FOREIGN KEY (return_id) REFERENCES order_return(id),
  constraint webhook_event_shipment_id_fkey FOREIGN KEY (shipment_id) REFERENCES shipment(id)
);
CREATE INDEX webhook_event_by_booking ON webhook_event USING btree (booking_id);
CREATE INDEX webhook_event_by_order ON webhook_event USING btree (order_id);
CREATE INDEX webhook_event_by_time ON webhook_event USING btree (at);
CREATE UNIQUE INDEX webhook_event_once ON webhook_event USING btree (type, fact) WHERE (fact IS NOT NULL);
CREATE UNIQUE INDEX webhook_event_open_stock ON webhook_event USING btree (item_id, warehouse_id) WHERE is_open;

-- A partner's share of its widget's orders, from a day on. Only added to.
create table widget_rate (
  id bigint not null generated always as identity,
  widget_id text not null,
  from_day date not null,
  commission_bp integer not null,
  set_at timestamp with time zone not null,
  set_by text not null,
  is_first boolean not null,
  constraint widget_rate_pkey PRIMARY KEY (id),
  constraint widget_rate_ahead CHECK ((is_first OR (from_day > ((set_at AT TIME ZONE 'America/New_York'::text))::date))),
  constraint widget_rate_commission_bp_check CHECK (((commission_bp >= 0) AND (commission_bp <= 2000))),
  constraint widget_rate_set_by_check CHECK (((length(set_by) >= 1) AND (length(set_by) <= 200))),
  constraint widget_rate_widget_id_fkey FOREIGN KEY (widget_id) REFERENCES partner_widget(id)
);
CREATE INDEX widget_rate_by_widget ON widget_rate USING btree (widget_id, from_day DESC, id DESC);
CREATE UNIQUE INDEX widget_rate_first ON widget_rate USING btree (widget_id) WHERE is_first;
CREATE TRIGGER widget_rate_append_only BEFORE DELETE OR UPDATE ON widget_rate FOR EACH ROW EXECUTE FUNCTION commission_is_only_added_to();

-- Each script of the widget that was shown to a partner: its page checks it by its hash, so that it is served for good.
create table widget_script (
  hash text not null,
  source text not null,
  shown_at timestamp with time zone not null,
  constraint widget_script_pkey PRIMARY KEY (hash),
  constraint widget_script_hash_check CHECK ((hash ~ '^[0-9a-f]{16}$'::text)),
  constraint widget_script_source_check CHECK (((length(source) >= 1) AND (length(source) <= 200000)))
);

-- How often shoppers came over from a partner's widget, by day and by the partner's name for the page.
create table widget_visit_day (
  widget_id text not null,
  day date not null,
  visits integer not null,
  source text not null,
  constraint widget_visit_day_pkey PRIMARY KEY (widget_id, day, source),
  constraint widget_visit_day_source_check CHECK ((source ~ '^[A-Za-z0-9_.-]{0,40}$'::text)),
  constraint widget_visit_day_visits_check CHECK ((visits > 0)),
  constraint widget_visit_day_widget_id_fkey FOREIGN KEY (widget_id) REFERENCES partner_widget(id)
);

-- What a shop recorded of a job: its state, the claim code or signature, and the odometer.
create table work_order (
  booking_id uuid not null,
  shop_id integer not null,
  order_id bigint not null,
  state text not null default 'open'::text,
  reason text,
  odometer_miles integer,
  code_attempts smallint not null default 0,
  code_matched_at timestamp with time zone,
  signed_name text,
  signed_at timestamp with time zone,
  state_at timestamp with time zone not null,
  saved_at timestamp with time zone not null,
  vin_end text,
  signed_strokes text,
  late_minutes integer, -- The last delay sent to the customer, in minutes.
  torque_lb_ft integer, -- Torque of the wheel nuts as the shop set it, in pound-feet.
  constraint work_order_pkey PRIMARY KEY (booking_id),
  constraint work_order_code_attempts_check CHECK (((code_attempts >= 0) AND (code_attempts <= 6))),
  constraint work_order_done_is_proven CHECK (((state <> 'done'::text) OR ((odometer_miles IS NOT NULL) AND ((code_matched_at IS NOT NULL) OR (signed_at IS NOT NULL))))),
  constraint work_order_drawn_is_signed CHECK (((signed_strokes IS NULL) OR (signed_name IS NOT NULL))),
  constraint work_order_late_minutes_check CHECK (((late_minutes >= 1) AND (late_minutes <= 240))),
  constraint work_order_odometer_miles_check CHECK (((odometer_miles >= 0) AND (odometer_miles <= 999999))),
  constraint work_order_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
  constraint work_order_says_why CHECK (((state = ANY (ARRAY['wrong-vehicle'::text, 'wrong-tires'::text, 'refused'::text])) = (reason IS NOT NULL))),
  constraint work_order_signed_name_check CHECK (((length(signed_name) >= 2) AND (length(signed_name) <= 60))),
  constraint work_order_signed_strokes_check CHECK (((length(signed_strokes) <= 4000) AND (signed_strokes ~ '^[0-9]{1,3},[0-9]{1,3}([ ;][0-9]{1,3},[0-9]{1,3})*$'::text))),
  constraint work_order_signed_whole CHECK (((signed_name IS NULL) = (signed_at IS NULL))),
  constraint work_order_state_check CHECK ((state = ANY (ARRAY['open'::text, 'arrived'::text, 'in-bay'::text, 'done'::text, 'no-show'::text, 'wrong-vehicle'::text, 'wrong-tires'::text, 'refused'::text]))),
  constraint work_order_torque_lb_ft_check CHECK (((torque_lb_ft >= 20) AND (torque_lb_ft <= 700))),
  constraint work_order_vin_end_check CHECK ((vin_end ~ '^[A-HJ-NPR-Z0-9]{8}$'::text)),
  constraint work_order_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint work_order_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint work_order_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX work_order_by_vin_end ON work_order USING btree (reverse(vin_end) text_pattern_ops) WHERE (vin_end IS NOT NULL);
CREATE INDEX work_order_not_done ON work_order USING btree (state_at, booking_id) WHERE (state = ANY (ARRAY['refused'::text, 'wrong-tires'::text]));
CREATE INDEX work_order_of_order ON work_order USING btree (order_id);
CREATE INDEX work_order_of_shop ON work_order USING btree (shop_id, state_at);
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON work_order REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed(); -- The shop's day shows how far a job is.
CREATE TRIGGER work_order_life BEFORE UPDATE ON work_order FOR EACH ROW EXECUTE FUNCTION work_order_moves(); -- A job moves along its states only, is done with every tire read, and then stays as it is.
CREATE TRIGGER work_order_packet BEFORE UPDATE ON work_order FOR EACH ROW EXECUTE FUNCTION work_order_needs_packet(); -- A job of a fleet is done with its whole packet.
CREATE TRIGGER work_order_pieces BEFORE UPDATE ON work_order FOR EACH ROW EXECUTE FUNCTION work_order_needs_pieces(); -- A car is here or finished only with every tire counted.

-- What the people of a shop did to a work order, and when.
create table work_order_event (
  id bigint not null generated always as identity,
  booking_id uuid not null,
  at timestamp with time zone not null,
  what text not null,
  to_state text,
  member_id uuid,
  note text,
  constraint work_order_event_pkey PRIMARY KEY (id),
  constraint work_order_event_moves CHECK (((what = 'moved'::text) = (to_state IS NOT NULL))),
  constraint work_order_event_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint work_order_event_what_check CHECK ((what = ANY (ARRAY['moved'::text, 'pieces'::text, 'code'::text, 'code-wrong'::text, 'saved'::text, 'reported'::text, 'late'::text]))),
  constraint work_order_event_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES work_order(booking_id) ON DELETE CASCADE,
  constraint work_order_event_member_id_fkey FOREIGN KEY (member_id) REFERENCES shop_member(id) ON DELETE SET NULL
);
CREATE INDEX work_order_event_of_job ON work_order_event USING btree (booking_id, id);
CREATE INDEX work_order_event_of_member ON work_order_event USING btree (member_id);

-- Photos that a shop took of a job, one of each kind.
create table work_order_photo (
  booking_id uuid not null,
  kind text not null,
  file_key uuid not null,
  sent_at timestamp with time zone not null,
  sent_by uuid,
  constraint work_order_photo_pkey PRIMARY KEY (booking_id, kind),
  constraint work_order_photo_file UNIQUE (file_key),
  constraint work_order_photo_kind_check CHECK ((kind = ANY (ARRAY['old'::text, 'front'::text, 'rear'::text]))),
  constraint work_order_photo_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES work_order(booking_id) ON DELETE CASCADE,
  constraint work_order_photo_file_key_fkey FOREIGN KEY (file_key) REFERENCES stored_file(key),
  constraint work_order_photo_sent_by_fkey FOREIGN KEY (sent_by) REFERENCES shop_member(id) ON DELETE SET NULL
);
CREATE INDEX work_order_photo_by_age ON work_order_photo USING btree (sent_at);
CREATE INDEX work_order_photo_of_member ON work_order_photo USING btree (sent_by);
CREATE TRIGGER remove_named_file AFTER DELETE OR UPDATE OF file_key ON work_order_photo FOR EACH ROW EXECUTE FUNCTION remove_named_file();

-- How many pieces of a line the shop has counted.
create table work_order_piece (
  booking_id uuid not null,
  line_no smallint not null,
  received smallint not null,
  counted_at timestamp with time zone not null,
  constraint work_order_piece_pkey PRIMARY KEY (booking_id, line_no),
  constraint work_order_piece_received_check CHECK (((received >= 0) AND (received <= 40))),
  constraint work_order_piece_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES work_order(booking_id) ON DELETE CASCADE
);
CREATE TRIGGER work_order_piece_stays BEFORE INSERT OR DELETE OR UPDATE ON work_order_piece FOR EACH ROW EXECUTE FUNCTION work_order_piece_stays(); -- What was counted of a finished job is not changed.

-- The tires of a job by position, with the number on the sidewall and the old tread.
create table work_order_tire (
  booking_id uuid not null,
  line_no smallint not null,
  nth smallint not null,
  position text not null,
  tin text,
  old_tread_32 smallint,
  constraint work_order_tire_pkey PRIMARY KEY (booking_id, line_no, nth),
  constraint work_order_position_once UNIQUE (booking_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint work_order_tire_nth_check CHECK (((nth >= 1) AND (nth <= 40))),
  constraint work_order_tire_old_tread_32_check CHECK (((old_tread_32 >= 0) AND (old_tread_32 <= 32))),
  constraint work_order_tire_position_check CHECK (("position" ~ '^(LF|RF|LR|RR|LI|RI|SP|L[1-9][0-9]?)$'::text)),
  constraint work_order_tire_tin_check CHECK ((tin ~ '^[A-HJ-NPR-Z0-9]{4,9}(0[1-9]|[1-4][0-9]|5[0-3])[0-9]{2}$'::text)),
  constraint work_order_tire_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES work_order(booking_id) ON DELETE CASCADE
);
CREATE INDEX work_order_tire_by_tin_end ON work_order_tire USING btree (reverse(tin) text_pattern_ops) WHERE (tin IS NOT NULL);
CREATE TRIGGER work_order_tire_stays BEFORE INSERT OR DELETE OR UPDATE ON work_order_tire FOR EACH ROW EXECUTE FUNCTION work_order_tire_stays(); -- What was read on the tires of a finished job is not changed.

-- US ZIP codes with place, county, state, position and clock.
create table zip (
  zip text not null,
  city text not null,
  state text not null,
  county text,
  latitude double precision,
  longitude double precision,
  zip_type text not null,
  region text not null,
  time_zone text,
  constraint zip_pkey PRIMARY KEY (zip),
  constraint zip_check CHECK (((latitude IS NULL) = (longitude IS NULL))),
  constraint zip_region_check CHECK ((region = ANY (ARRAY['CONUS'::text, 'AK'::text, 'HI'::text, 'TERRITORY'::text, 'MILITARY'::text]))),
  constraint zip_state_check CHECK ((state ~ '^[A-Z]{2}$'::text)),
  constraint zip_zip_check CHECK ((zip ~ '^[0-9]{5}$'::text)),
  constraint zip_zip_type_check CHECK ((zip_type = ANY (ARRAY['STANDARD'::text, 'PO_BOX'::text, 'UNIQUE'::text, 'MILITARY'::text, 'UNKNOWN'::text])))
);

CREATE OR REPLACE FUNCTION address_redirect_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from added join address_redirect other on other.from_path = lower(added.to_path))
    or exists (select from added join address_redirect other on lower(other.to_path) = added.from_path) then
    raise exception 'A redirect leads to another one.' using errcode = 'check_violation', constraint = 'address_redirect_no_chain';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION audit_is_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The audit log is only added to.' using errcode = 'check_violation', constraint = 'audit_entry_append_only';
end $function$;

CREATE OR REPLACE FUNCTION booking_crowds(asked booking, live_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  zone text := (select time_zone from shop where id = asked.shop_id);
  day date := (lower(asked.during) at time zone zone)::date;
  plan shop_capacity;
  whole tstzrange := tstzrange(day::timestamp at time zone zone, (day + 1)::timestamp at time zone zone);
  around tstzrange;
begin
  select * into plan from shop_capacity where shop_id = asked.shop_id and during @> day;
  if asked.kind = 'drop-off' then
    return false;
  end if;
  around := tstzrange(lower(asked.during) - plan.buffer_minutes * interval '1 minute', upper(asked.during) + plan.buffer_minutes * interval '1 minute');
  if plan.buffer_minutes > 0 and (
    exists (select from booking where bay_id = asked.bay_id and id <> asked.id and during && around and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at))
    or exists (select from own_job where bay_id = asked.bay_id and state = 'planned' and during && around)) then
    return true;
  end if;
  return plan.walk_in_percent > 0 and (
    select coalesce(sum(extract(epoch from upper(during) - lower(during))), 0) + extract(epoch from upper(asked.during) - lower(asked.during))
    from booking where shop_id = asked.shop_id and id <> asked.id and kind <> 'drop-off' and during && whole and lower(during) <@ whole
      and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at))
    > (
    select extract(epoch from closes - opens - coalesce(lunch_to - lunch_from, interval '0')) * (100 - plan.walk_in_percent) / 100
      * least(plan.technicians, (select count(*) from shop_bay where shop_id = asked.shop_id and kind = 'bay' and days @> day))
    from shop_hours where shop_id = asked.shop_id and weekday = extract(isodow from day) and during @> day);
end $function$;

CREATE OR REPLACE FUNCTION booking_done_by_work_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from work_order where booking_id = new.id and state = 'done') then
    raise exception 'Booking % has no finished work order.', new.id using errcode = 'check_violation', constraint = 'booking_done_by_work_order';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_misfit(asked booking, live_at timestamp with time zone, made_before timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  plan shop_capacity;
  opening shop_hours;
  zone text := (select time_zone from shop where id = asked.shop_id);
  starts timestamp := lower(asked.during) at time zone zone;
  ends timestamp := upper(asked.during) at time zone zone;
  day date := starts::date;
  at_once bigint;
begin
  if exists (select from shop_closure where shop_id = asked.shop_id and closed_on = day) then
    return 'closed-day';
  end if;
  select * into opening from shop_hours where shop_id = asked.shop_id and weekday = extract(isodow from day) and during @> day;
  if not found or starts < day + opening.opens or ends > day + opening.closes then
    return 'hours';
  end if;
  if not exists (select from shop_bay where id = asked.bay_id and days @> day) then
    return case asked.kind when 'drop-off' then 'drop-off' else 'bay' end;
  end if;
  select * into plan from shop_capacity where shop_id = asked.shop_id and during @> day;
  if asked.kind = 'drop-off' then
    return case when asked.drop_off_window = any (plan.drop_off_windows) then null else 'drop-off' end;
  end if;
  if starts < day + opening.lunch_to and ends > day + opening.lunch_from then
    return 'lunch';
  end if;
  if plan.technicians is not null then
    with job as (
      select during from booking
      where shop_id = asked.shop_id and id <> asked.id and kind <> 'drop-off' and during && asked.during
        and (state = 'confirmed' or state = 'held' and hold_expires_at > live_at)
        and (made_before is null or (created_at, id) < (made_before, asked.id))
      union all
      select own_job.during from own_job join shop_bay on shop_bay.id = own_job.bay_id and shop_bay.kind = 'bay'
      where own_job.shop_id = asked.shop_id and own_job.kind <> 'block' and state = 'planned' and own_job.during && asked.during)
    select max((select count(*) from job where job.during @> moment)) into at_once
    from (select lower(asked.during) union select lower(during) from job where lower(during) <@ asked.during) as moments (moment);
    if at_once >= plan.technicians then
      return 'technicians';
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION booking_stopped(asked booking)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when status <> 'open' then status
    when (lower(asked.during) at time zone time_zone)::date > last_day then 'closing'
    when paused @> (lower(asked.during) at time zone time_zone)::date then 'paused'
  end
  from shop where id = asked.shop_id
$function$;

CREATE OR REPLACE FUNCTION business_term_at(asked text, at timestamp with time zone, standard integer)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select value from business_term where name = asked and canceled_at is null and valid_from <= at order by valid_from desc limit 1),
    standard)
$function$;

CREATE OR REPLACE FUNCTION business_term_is_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.canceled_at is null
    and (old.id, old.name, old.value, old.valid_from, old.set_at, old.set_by) = (new.id, new.name, new.value, new.valid_from, new.set_at, new.set_by) then
    return new;
  end if;
  raise exception 'Business terms are only added to.' using errcode = 'check_violation', constraint = 'business_term_append_only';
end $function$;

CREATE OR REPLACE FUNCTION business_term_raises_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update store_state set terms_version = terms_version + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION calendar_part_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  shop_ids integer[];
begin
  case tg_op
    when 'INSERT' then shop_ids := array(select distinct shop_id from became);
    when 'DELETE' then shop_ids := array(select distinct shop_id from was);
    else shop_ids := array(select shop_id from was union select shop_id from became);
  end case;
  if cardinality(shop_ids) > 0 then
    perform raise_calendar_versions(shop_ids);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION canceled_units(of_order bigint, of_line smallint)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
AS $function$
  select coalesce(sum(part.units), 0) from order_refund refund join order_refund_line part on part.refund_id = refund.id
  where refund.order_id = of_order and refund.kind = 'cancellation' and part.line_no = of_line
$function$;

CREATE OR REPLACE FUNCTION cart_of_service_has_no_tires()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from cart_service where cart_id = new.cart_id) then
    raise exception 'Cart % books a service and has no tires.', new.cart_id using errcode = 'check_violation', constraint = 'cart_of_service_has_no_tires';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION cart_waits_for_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  cart_key uuid;
begin
  cart_key := case when tg_table_name = 'cart' then (to_jsonb(new) ->> 'id')::uuid
    else (coalesce(to_jsonb(new), to_jsonb(old)) ->> 'cart_id')::uuid end;
  if (select state = 'waiting' from cart where id = cart_key)
      is distinct from exists (select from order_approval where cart_id = cart_key and state = 'waiting')
      and exists (select from cart where id = cart_key) then
    raise exception 'Cart % waits without a request, or a request without its cart.', cart_key
      using errcode = 'check_violation', constraint = 'cart_waits_for_approval';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION claims_within_covered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> 'approved' or new.kind <> 'replacement' then
    return new;
  end if;
  perform from sales_order where id = new.order_id for no key update;
  if not exists (select from order_line where order_id = new.order_id and kind = 'coverage' and coverage_plan = new.plan)
    or new.tires + (select coalesce(sum(tires), 0) from coverage_claim other
        where other.order_id = new.order_id and other.item_id = new.item_id and other.state = 'approved' and other.kind = 'replacement' and other.id <> new.id)
      > (select coalesce(sum(quantity), 0) from order_line where order_id = new.order_id and item_id = new.item_id and kind = 'tire') then
    raise exception 'The order % has no such covered tire left.', new.order_id using errcode = 'check_violation', constraint = 'claims_within_covered';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION commission_is_only_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Rates and commission are only added to.' using errcode = 'check_violation', constraint = 'commission_append_only';
end $function$;

CREATE OR REPLACE FUNCTION commission_within_booked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from order_attribution where order_id = new.order_id for update;
  if new.kind = 'reversed' and coalesce((select sum(cents) from partner_commission where order_id = new.order_id), 0) + new.cents < 0 then
    raise exception 'More commission would be taken back than was booked.' using errcode = 'check_violation', constraint = 'commission_within_booked';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION company_keeps_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched uuid;
begin
  foreach touched in array array_remove(array[old.company_id, new.company_id], null) loop
    perform from company where id = touched for no key update;
    if exists (select from company_member where company_id = touched)
      and not exists (select from company_member where company_id = touched and role = 'owner') then
      raise exception 'A company needs an owner.' using errcode = 'check_violation', constraint = 'company_has_an_owner';
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION content_version_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (to_jsonb(new) - 'starts_at' - 'published_by') <> (to_jsonb(old) - 'starts_at' - 'published_by')
    or old.starts_at is not null and new.starts_at is not null and new.starts_at <> old.starts_at then
    raise exception 'A version of a page is never edited.' using errcode = 'check_violation', constraint = 'content_version_never_edited';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION count_inventory(of_kind text, counted_at timestamp with time zone, items integer[], source jsonb DEFAULT '{}'::jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  lines jsonb;
begin
  perform lock_inventory(items);
  select jsonb_agg(jsonb_build_object('item_id', value.item_id, 'units', coalesce(shelf.units, 0) - value.units)) into lines
  from inventory_value as value left join inventory_on_shelf(items) as shelf using (item_id)
  where value.item_id = any(items) and value.units <> coalesce(shelf.units, 0);
  return case when lines is not null then enter_inventory(of_kind, counted_at, lines, source) end;
end $function$;

CREATE OR REPLACE FUNCTION coupon_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_draft boolean := old.starts_at is null and new.starts_at is null;
begin
  if is_draft and new.version = old.version + 1 and (new.id, new.form_key, new.replaces_id, new.created_by, new.created_at)
      is not distinct from (old.id, old.form_key, old.replaces_id, old.created_by, old.created_at) then
    return null;
  end if;
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at') then
    raise exception 'A coupon is edited only while it is a draft, with the next version.' using errcode = 'check_violation', constraint = 'coupon_never_edited';
  end if;
  if old.starts_at is null then
    return null;
  end if;
  if new.starts_at is null then
    if exists (select from coupon_use where coupon_id = old.id) then
      raise exception 'A used coupon is not withdrawn.' using errcode = 'check_violation', constraint = 'coupon_used';
    end if;
    return null;
  end if;
  if new.starts_at <> old.starts_at or new.ends_at > old.ends_at then
    raise exception 'A coupon only ends earlier than planned.' using errcode = 'check_violation', constraint = 'coupon_ends_earlier_only';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION credit_grant_forgets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.reason := null;
  new.taken_back_reason := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION customer_merged_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from customer where id = new.merged_into and merged_into is not null)
    or exists (select from customer where merged_into = new.id) then
    raise exception using errcode = 'check_violation', constraint = 'customer_merged_once',
      message = 'A customer is merged into one that is not merged itself.';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION drop_email_copy_months(before timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select drop_months('email_copy', before) $function$;

CREATE OR REPLACE FUNCTION drop_months(of_table text, before timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '3s'
AS $function$
declare
  part text;
  rows bigint;
  dropped bigint := 0;
begin
  for part in
    select relname from tables_by_month() as tables
      join pg_inherits on inhparent = to_regclass(tables.name) join pg_class on pg_class.oid = inhrelid
    where tables.name = of_table and relname ~ '_\d{6}$'
      and to_date(right(relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' < before
    order by relname
  loop
    execute format('lock table %I in access exclusive mode', (select refers_to from tables_by_month() where name = of_table));
    execute format('select count(*) from %I', part) into rows;
    execute format('drop table %I', part);
    dropped := dropped + rows;
  end loop;
  return dropped;
end $function$;

CREATE OR REPLACE FUNCTION email_copy_is_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'What was sent is not changed afterwards.' using errcode = 'check_violation', constraint = 'email_copy_final';
end $function$;

CREATE OR REPLACE FUNCTION enter_inventory(of_kind text, moved_at timestamp with time zone, lines jsonb, source jsonb DEFAULT '{}'::jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  movement bigint;
  uncounted jsonb;
  total bigint;
  uncosted bigint;
begin
  if of_kind <> 'supplier-shipped' then
    perform lock_inventory(array(select item_id from jsonb_to_recordset(lines) as line (item_id integer)));
    -- Stock that no movement entered comes in before it leaves.
    select jsonb_agg(jsonb_build_object('item_id', item_id, 'units', -line.units - value.units)) into uncounted
    from jsonb_to_recordset(lines) as line (item_id integer, units integer) join inventory_value as value using (item_id)
    where value.units < -line.units;
    if uncounted is not null then
      perform enter_inventory('adjusted', moved_at, uncounted);
    end if;
  end if;
  insert into inventory_movement (kind, at, order_id, shipment_id, receipt_id, adjustment_id, import_run_id, supplier_return_id)
  values (of_kind, moved_at, (source ->> 'order_id')::bigint, (source ->> 'shipment_id')::uuid, (source ->> 'receipt_id')::bigint,
    (source ->> 'adjustment_id')::bigint, (source ->> 'import_run_id')::integer, (source ->> 'supplier_return_id')::bigint)
  returning id into movement;
  insert into inventory_movement_line (movement_id, item_id, units, cents, uncosted_units)
  select movement, item_id, units, cents, case when cents = 0 and is_uncosted then abs(units) else 0 end
  from (
    select line.item_id, line.units,
      (case
        when of_kind = 'supplier-shipped' then line.cents
        -- The last unit takes the rest.
        when line.units < 0 and value.units = -line.units then -value.value_cents
        when line.units < 0 then -round(value.value_cents::numeric * -line.units / value.units)
        when line.cents is not null then line.cents
        when value.value_cents > 0 then round(value.value_cents::numeric * line.units / value.units)
        else line.units::bigint * coalesce(item.cost_cents, 0) end)::bigint as cents,
      of_kind = 'supplier-shipped' or line.units > 0 or value.value_cents = 0 as is_uncosted
    from jsonb_to_recordset(lines) as line (item_id integer, units integer, cents bigint)
      join item on item.id = line.item_id left join inventory_value as value on value.item_id = line.item_id) as valued;
  if of_kind <> 'supplier-shipped' then
    update inventory_value set units = inventory_value.units + line.units, value_cents = value_cents + line.cents
    from inventory_movement_line as line where line.movement_id = movement and line.item_id = inventory_value.item_id;
  end if;
  select sum(cents), sum(uncosted_units) into total, uncosted from inventory_movement_line where movement_id = movement;
  -- An entry holds at most 2,147,483,647 cents.
  with entered as (select gen_random_uuid() as transfer_id)
  insert into ledger_entry (transfer_id, order_id, inventory_movement_id, account, amount_cents, reason, at)
  select transfer_id, (source ->> 'order_id')::bigint, movement, account,
    sign * sign(total)::integer * least(abs(total) - part * 2000000000, 2000000000)::integer,
    case of_kind when 'opening' then 'opening stock' when 'received' then 'stock received' when 'adjusted' then 'stock adjusted'
      when 'returned' then 'return to stock' when 'imported' then 'stock imported' when 'shipped' then 'tires shipped' when 'supplier-returned' then 'returned to supplier'
      else 'supplier shipped tires' end
      || case when uncosted > 0 then ' (cost unknown: ' || uncosted || ')' else '' end,
    moved_at
  from entered, generate_series(0, (abs(total) - 1) / 2000000000) as part, (values
    (case when of_kind = 'supplier-shipped' then 'goods-received-not-invoiced' else 'inventory' end, 1),
    (case when of_kind in ('received', 'supplier-returned') then 'goods-received-not-invoiced'
      when of_kind in ('shipped', 'supplier-shipped', 'returned') then 'cost-of-goods-sold' else 'inventory-adjustments' end, -1)) as entry (account, sign)
  where total <> 0;
  return movement;
end $function$;

CREATE OR REPLACE FUNCTION enter_supplier_credit(returned bigint, credited_cents integer, credited_at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  with difference as (
    select movement.id, gen_random_uuid() as transfer_id, (credited_cents + (select sum(cents) from inventory_movement_line where movement_id = movement.id))::integer as cents
    from inventory_movement as movement where movement.supplier_return_id = returned)
  insert into ledger_entry (transfer_id, inventory_movement_id, account, amount_cents, reason, at)
  select transfer_id, id, account, sign * cents, 'supplier credit', credited_at
  from difference, (values ('goods-received-not-invoiced', 1), ('cost-of-goods-sold', -1)) as entry (account, sign)
  where cents <> 0
$function$;

CREATE OR REPLACE FUNCTION fleet_packet_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from work_order where order_id = old.order_id and state = 'done') then
    raise exception 'The packet of a finished job stays as it is.' using errcode = 'check_violation', constraint = 'fleet_packet_stays';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION fleet_quote_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.held_at is not null and (new.held_at, new.good_through_on, new.zip, new.company_id)
      is distinct from (old.held_at, old.good_through_on, old.zip, old.company_id) then
    raise exception 'The fleet quote % is held.', old.id using errcode = 'check_violation', constraint = 'fleet_quote_stays';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION give_shop_capacity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into shop_capacity (shop_id) select id from became;
  insert into shop_price_list (shop_id) select id from became;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION held_units(of_item integer, in_warehouse integer, of_cart uuid, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(hold.quantity), 0)::integer
  from stock_hold hold join booking on booking.id = hold.booking_id
  where hold.item_id = of_item and hold.warehouse_id = in_warehouse
    and booking.state = 'held' and booking.hold_expires_at > at and booking.cart_id is distinct from of_cart
$function$;

CREATE OR REPLACE FUNCTION hold_stock(of_booking uuid, wanted json, of_holder text, at timestamp with time zone, most integer)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare of_cart uuid; holder text;
begin
  perform from stock join json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer) using (item_id, warehouse_id)
  order by stock.item_id, stock.warehouse_id for update of stock;
  select cart_id, coalesce(of_holder, held_by) into of_cart, holder from booking where id = of_booking and state = 'held';
  if not found then return 'short'; end if;
  if exists (
    select from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
    left join stock using (item_id, warehouse_id)
    where coalesce(stock.on_hand, 0) - want.quantity < held_units(want.item_id, want.warehouse_id, of_cart, at)
  ) then return 'short'; end if;
  delete from stock_hold where booking_id = of_booking;
  if exists (
    select from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
    where want.quantity + (
      select coalesce(sum(hold.quantity), 0) from stock_hold hold join booking on booking.id = hold.booking_id
      where hold.item_id = want.item_id and hold.warehouse_id = want.warehouse_id and hold.held_by = holder and booking.hold_expires_at > at) > most
  ) then return 'limited'; end if;
  insert into stock_hold (booking_id, item_id, warehouse_id, quantity, held_by)
  select of_booking, item_id, warehouse_id, quantity, holder
  from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer);
  return 'held';
end $function$;

CREATE OR REPLACE FUNCTION inventory_on_shelf(items integer[])
 RETURNS TABLE(item_id integer, units integer)
 LANGUAGE sql
 STABLE
AS $function$
  select held.item_id, sum(held.units)::integer
  from (
    select stock.item_id, stock.warehouse_id, stock.on_hand + stock.closed_units as units
    from stock where stock.item_id = any(items)
    union all
    select line.item_id, allocation.warehouse_id, allocation.quantity
    from shipment join stock_allocation allocation on allocation.order_id = shipment.order_id and allocation.warehouse_id = shipment.warehouse_id
      join order_line line on line.order_id = allocation.order_id and line.line_no = allocation.line_no
    where shipment.state in ('processed', 'pending-pickup') and line.item_id = any(items)) as held
    join warehouse on warehouse.id = held.warehouse_id
  where warehouse.pool = 'on-hand' group by held.item_id
$function$;

CREATE OR REPLACE FUNCTION invoice_within_credit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  buyer company%rowtype;
  owed bigint;
begin
  select company.* into buyer from company join sales_order on sales_order.company_id = company.id where sales_order.id = new.order_id for no key update of company;
  select coalesce(sum(amount_cents - paid_cents), 0) into owed
    from invoice join sales_order on sales_order.id = invoice.order_id where sales_order.company_id = buyer.id and invoice.state = 'open';
  if (buyer.state = 'approved' and owed + new.amount_cents <= buyer.credit_limit_cents) is not true then
    raise exception 'Its company has no credit for the invoice of order %.', new.order_id using errcode = 'check_violation', constraint = 'invoice_within_credit';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION is_gtin(digits text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select digits ~ '^([0-9]{8}|[0-9]{12,14})$' and (
    select sum(digit::int * case when place % 2 = 1 then 3 else 1 end) % 10 = 0
    from unnest(string_to_array(lpad(digits, 14, '0'), null)) with ordinality as each (digit, place))
$function$;

CREATE OR REPLACE FUNCTION item_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.changed_at = now();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION item_retired()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select line.retired or brand.retired into new.retired from product_line line join brand on brand.id = line.brand_id
    where line.id = new.product_line_id for share;
  new.retired = coalesce(new.retired, false);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_booking_in_capacity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  live_at timestamptz := '-infinity';
  stopped text;
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.state = old.state and new.bay_id = old.bay_id and new.during <@ old.during then
      return new;
    end if;
    -- A hold that is confirmed asks for appointments only: another hold that is still there is refused when it comes to it.
    if old.state = 'held' then
      live_at := 'infinity';
    end if;
  else
    live_at := new.created_at;
  end if;
  perform from shop where id = new.shop_id for share;
  perform from shop_capacity where shop_id = new.shop_id and (technicians is not null or buffer_minutes > 0 or walk_in_percent > 0)
    and during @> (lower(new.during) at time zone (select time_zone from shop where id = new.shop_id))::date for no key update;
  stopped := booking_stopped(new);
  -- An appointment that was kept during a pause may still get another bay or another time of these days.
  if stopped = 'paused' and tg_op = 'UPDATE' and old.state = 'confirmed' and booking_stopped(old) = 'paused' then
    stopped := null;
  end if;
  -- An appointment after the last day may only get another bay.
  if stopped = 'closing' and tg_op = 'UPDATE' and old.state = 'confirmed' and new.during = old.during then
    stopped := null;
  end if;
  if stopped is null and booking_misfit(new, live_at, null) is null and not booking_crowds(new, live_at) then
    return new;
  end if;
  -- As "on conflict do nothing" has it: a hold is not written or not confirmed, and the transaction goes on.
  if tg_op = 'INSERT' or old.state = 'held' then
    return null;
  end if;
  raise exclusion_violation using constraint = 'booking_within_capacity', message = 'The shop does not take this booking at that time.';
end $function$;

CREATE OR REPLACE FUNCTION keep_booking_off_own_jobs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.bay_id = old.bay_id and new.during <@ old.during then
      return new;
    end if;
  end if;
  perform from shop_bay where id = new.bay_id for key share;
  if exists (select from own_job where bay_id = new.bay_id and state = 'planned' and during && new.during) then
    -- As "on conflict do nothing" has it: a new hold is not written, and the transaction goes on.
    if tg_op = 'INSERT' then
      return null;
    end if;
    raise exclusion_violation using constraint = 'booking_off_own_jobs', message = 'The shop has a job of its own on this bay at that time.';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION keep_stock_holds_within_stock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from stock_hold using (
    select hold.booking_id, hold.item_id, hold.warehouse_id, changed.on_hand,
      sum(hold.quantity) over (partition by hold.item_id, hold.warehouse_id order by booking.hold_expires_at desc nulls last, booking.id) as up_to
    from stock_hold hold join changed using (item_id, warehouse_id) join booking on booking.id = hold.booking_id
  ) as ranked
  where ranked.up_to > ranked.on_hand and stock_hold.booking_id = ranked.booking_id
    and stock_hold.item_id = ranked.item_id and stock_hold.warehouse_id = ranked.warehouse_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION keep_van_stops_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  base text;
begin
  if tg_op = 'UPDATE' then
    if old.state in ('held', 'confirmed') and new.bay_id = old.bay_id and new.during <@ old.during and new.stop_zip is not distinct from old.stop_zip then
      return new;
    end if;
  end if;
  perform from shop_bay where id = new.bay_id for no key update;
  select zip into base from shop where id = new.shop_id;
  if exists (
    select from booking other
    cross join lateral (select travel_minutes(coalesce(other.stop_zip, base), new.stop_zip) * interval '1 minute' as drive) as between_them
    where other.bay_id = new.bay_id and other.id <> new.id
      and other.during && tstzrange(lower(new.during) - interval '180 minutes', upper(new.during) + interval '180 minutes')
      and (other.state = 'confirmed' or other.state = 'held'
        and not (tg_op = 'INSERT' and (other.hold_expires_at <= new.created_at or other.cart_id = new.cart_id)))
      and other.during && tstzrange(lower(new.during) - drive, upper(new.during) + drive)) then
    -- As "on conflict do nothing" has it: a new hold is not written, and the transaction goes on.
    if tg_op = 'INSERT' then
      return null;
    end if;
    raise exclusion_violation using constraint = 'booking_van_reaches', message = 'The van cannot drive between two of its stops in time.';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION key_at(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE STRICT
AS $function$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$;

CREATE OR REPLACE FUNCTION ledger_transfer_balances()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select sum(amount_cents) from ledger_entry where transfer_id = new.transfer_id) <> 0 then
    raise exception 'ledger transfer % does not balance', new.transfer_id using errcode = 'check_violation', constraint = 'ledger_balances';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION line_rating_refresh(line_ids integer[])
 RETURNS void
 LANGUAGE sql
AS $function$
  select from product_line where id = any (line_ids) order by id for no key update;
  delete from line_rating where product_line_id = any (line_ids);
  insert into line_rating (product_line_id, review_count, overall_hundredths, dry_hundredths, wet_hundredths, winter_hundredths, comfort_hundredths,
    noise_hundredths, treadwear_hundredths, buy_again_percent, histogram)
  select product_line_id, count(*), round(avg(overall_hundredths)),
    round(avg(dry) * 100), round(avg(wet) * 100), round(avg(winter) * 100),
    round(avg(comfort) * 100), round(avg(noise) * 100), round(avg(treadwear) * 100),
    round(avg(buy_again::int) * 100),
    array[
      count(*) filter (where overall_hundredths < 150),
      count(*) filter (where overall_hundredths between 150 and 249),
      count(*) filter (where overall_hundredths between 250 and 349),
      count(*) filter (where overall_hundredths between 350 and 449),
      count(*) filter (where overall_hundredths >= 450)]
  from review where state = 'published' and product_line_id = any (line_ids) group by product_line_id;
$function$;

CREATE OR REPLACE FUNCTION lock_bay_of_own_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from shop_bay where id = new.bay_id for update;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION lock_inventory(items integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into inventory_value (item_id) select distinct unnest(items) order by 1 on conflict do nothing;
  perform from inventory_value where item_id = any(items) order by item_id for update;
end $function$;

CREATE OR REPLACE FUNCTION lock_shop_of_rate()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from shop where id = case tg_op when 'INSERT' then new.shop_id else old.shop_id end for no key update;
  return case tg_op when 'DELETE' then old else new end;
end $function$;

CREATE OR REPLACE FUNCTION mailbox_of(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (lower(email) ~ '@(gmail|googlemail)\.com$'::text) THEN (replace(split_part(regexp_replace(lower(email), '@[^@]*$'::text, ''::text), '+'::text, 1), '.'::text, ''::text) || '@gmail.com'::text) ELSE ((split_part(regexp_replace(lower(email), '@[^@]*$'::text, ''::text), '+'::text, 1) || '@'::text) || "substring"(lower(email), '[^@]*$'::text)) END;

CREATE OR REPLACE FUNCTION manifest_parcel_has_usable_label()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from shipment_label where shipment_id = new.shipment_id and void_requested_at is null for share;
  if not found then
    raise exception 'The label of parcel % is voided.', new.shipment_id
      using errcode = 'check_violation', constraint = 'manifest_parcel_has_usable_label';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION month_key(key text, month timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE STRICT
AS $function$
  select case key when 'message_id' then quote_literal(key_at(month)) else quote_literal(month) end
$function$;

CREATE OR REPLACE FUNCTION note_stock_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  changed integer[];
  no_page_counts_to constant integer := 40;
  worth_naming constant integer := 500;
begin
  if tg_op = 'UPDATE' then
    select array_agg(distinct old_row.item_id) into changed
    from old_rows old_row join new_rows new_row using (item_id, warehouse_id)
    where old_row.on_hand <> new_row.on_hand and least(old_row.on_hand, new_row.on_hand) < no_page_counts_to;
  elsif tg_op = 'INSERT' then
    select array_agg(distinct item_id) into changed from new_rows where on_hand > 0;
  else
    select array_agg(distinct item_id) into changed from old_rows where on_hand > 0;
  end if;
  if changed is null then return null; end if;
  if cardinality(changed) > worth_naming then
    insert into stock_change (item_id) values (null);
  else
    insert into stock_change (item_id) select unnest(changed);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION note_warehouse_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Delivery days of any tire can change.
  insert into stock_change (item_id) values (null);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION notify_teams_of_booking_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform graphile_worker.add_job('notify-teams', json_build_object('eventId', new.id), job_key := 'notify-teams:event:' || new.id)
  from booking
  where booking.id = new.booking_id and booking.order_id is not null
    and exists (select from shop_member member where member.shop_id = booking.shop_id and member.ended_at is null);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION notify_teams_of_shop_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform graphile_worker.add_job('notify-teams', json_build_object('reportId', new.id), job_key := 'notify-teams:report:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_approval_life()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> 'waiting' and (new.state, new.agreed_price, new.total_cents, new.order_id, new.reason)
      is distinct from (old.state, old.agreed_price, old.total_cents, old.order_id, old.reason) then
    raise exception 'The approval % was decided.', old.id using errcode = 'check_violation', constraint = 'order_approval_life';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION order_begins_packet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  entered cart_fleet_vehicle;
begin
  if exists (select from company where id = new.company_id and fleet_packet) then
    if coalesce(new.billing ->> 'poNumber', '') = '' then
      raise exception 'An order of company % needs a PO number.', new.company_id using errcode = 'check_violation', constraint = 'fleet_packet_has_po';
    end if;
    select * into entered from cart_fleet_vehicle where cart_id = new.cart_id;
    insert into fleet_packet (order_id, unit, driver, plate, plate_state, changed_at)
      values (new.id, entered.unit, entered.driver, entered.plate, entered.plate_state, entered.updated_at);
    if entered.vin is not null then
      insert into order_vin (order_id, vin, set_by, set_at) values (new.id, entered.vin, 'company', new.placed_at);
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_brought_line(asked_order bigint, asked_line integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from order_line line
    join item on item.id = line.item_id
    join stock_allocation part on part.order_id = line.order_id and part.line_no = line.line_no
    join shipment on shipment.order_id = part.order_id and shipment.warehouse_id = part.warehouse_id
    where line.order_id = asked_order and item.product_line_id = asked_line and shipment.delivered_at is not null)
$function$;

CREATE OR REPLACE FUNCTION order_held_until_decided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from order_screening where order_id = new.id and outcome = 'review' and decision is distinct from 'accepted') then
    raise exception 'Order % waits for staff.', new.id using errcode = 'check_violation', constraint = 'order_held_until_decided';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION order_line_allocated_or_canceled()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  line record;
begin
  select bought.quantity,
    (select coalesce(sum(quantity), 0) from stock_allocation where order_id = bought.order_id and line_no = bought.line_no) as allocated,
    canceled_units(bought.order_id, bought.line_no) as canceled into line
  from order_line bought where bought.order_id = coalesce(new.order_id, old.order_id) and bought.line_no = coalesce(new.line_no, old.line_no) and bought.kind = 'tire';
  if found and line.quantity <> line.allocated + line.canceled then
    raise exception 'Order % has % tires on line %, of which % are allocated and % canceled.', coalesce(new.order_id, old.order_id), line.quantity, coalesce(new.line_no, old.line_no), line.allocated, line.canceled
      using errcode = 'check_violation', constraint = 'order_line_allocated_or_canceled';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_may_move(was text, becomes text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (was, becomes) in (
    ('needs-confirmation', 'confirmed'),
    ('needs-confirmation', 'canceled'),
    ('confirmed', 'needs-confirmation'),
    ('confirmed', 'canceled'),
    ('confirmed', 'returned'))
$function$;

CREATE OR REPLACE FUNCTION order_moves_by_its_life()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not order_may_move(old.state, new.state) then
    raise exception 'Order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'sales_order_life';
  end if;
  if new.state = 'canceled' and exists (select from shipment where order_id = new.id and state in ('in-transit', 'delivered', 'returned')) then
    raise exception 'Order % has shipped.', new.id using errcode = 'check_violation', constraint = 'sales_order_canceled_unshipped';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION order_of_service_is_only_that()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (select fulfillment from sales_order where id = new.order_id) <> 'shop'
    or exists (select from order_line where order_id = new.order_id and line_no <> new.line_no) then
    raise exception 'Order % has a service and something else, or no shop.', new.order_id
      using errcode = 'check_violation', constraint = 'order_of_service_is_only_that';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_paid_in_one_way()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from payment where order_id = new.order_id) then
    raise exception 'Order % has a charge already.', new.order_id using errcode = 'check_violation', constraint = 'order_paid_in_one_way';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION order_refund_decided_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> 'draft' or to_jsonb(new) - array['state', 'decided_at', 'decided_by'] <> to_jsonb(old) - array['state', 'decided_at', 'decided_by'] then
    raise exception 'Refund % is decided.', old.id using errcode = 'check_violation', constraint = 'order_refund_decided_once';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION order_refund_is_its_lines()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  refund order_refund;
  lines bigint;
begin
  if tg_table_name = 'order_refund' then
    refund := new;
  else
    select * into refund from order_refund where id = new.refund_id;
  end if;
  select coalesce(sum(net_cents + tax_cents + fet_cents + tire_fee_cents), 0) into lines from order_refund_line where refund_id = refund.id;
  if refund.lines_cents <> lines then
    raise exception 'The lines of refund % come to % cents, not %.', refund.id, lines, refund.lines_cents using errcode = 'check_violation', constraint = 'order_refund_is_its_lines';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION order_refunds_within_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  bought order_line;
  given record;
begin
  select * into bought from order_line where order_id = new.order_id and line_no = new.line_no for no key update;
  select coalesce(sum(line.units), 0) as units, coalesce(sum(line.net_cents), 0) as net, coalesce(sum(line.tax_cents), 0) as tax,
    coalesce(sum(line.fet_cents), 0) as fet, coalesce(sum(line.tire_fee_cents), 0) as tire_fee into given
  from order_refund_line line join order_refund refund on refund.id = line.refund_id
  where line.order_id = new.order_id and line.line_no = new.line_no and line.refund_id <> new.refund_id and refund.state <> 'declined';
  if (given.units + new.units <= bought.quantity and given.net + new.net_cents <= bought.net_cents and given.tax + new.tax_cents <= bought.tax_cents
    and given.fet + new.fet_cents <= bought.fet_cents and given.tire_fee + new.tire_fee_cents <= bought.tire_fee_cents) is not true then
    raise exception 'Line % of order % has not that much left to refund.', new.line_no, new.order_id using errcode = 'check_violation', constraint = 'order_refunds_within_line';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION pay_adjustment_is_decided_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.state = 'proposed' and new.state in ('approved', 'declined')
      and (new.id, new.shop_id, new.kind, new.amount_cents, new.reason, new.is_over_limit, new.submission_key, new.made_at, new.made_by)
        = (old.id, old.shop_id, old.kind, old.amount_cents, old.reason, old.is_over_limit, old.submission_key, old.made_at, old.made_by)
      and new.job_pay_id is not distinct from old.job_pay_id then
    return new;
  end if;
  raise exception 'An adjustment is only decided.' using errcode = 'check_violation', constraint = 'pay_append_only';
end $function$;

CREATE OR REPLACE FUNCTION pay_is_only_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Pay is only added to: correct it with an adjustment.' using errcode = 'check_violation', constraint = 'pay_append_only';
end $function$;

CREATE OR REPLACE FUNCTION pay_later_offer_only_ends_earlier()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (to_jsonb(new) - 'ends_at') <> (to_jsonb(old) - 'ends_at') or new.ends_at > old.ends_at then
    raise exception 'An offer for a way to pay is not edited; it only ends earlier.' using errcode = 'check_violation', constraint = 'pay_later_offer_never_edited';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION pay_rate_keeps_its_past()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and (new.id, new.job, new.rim_from_in, new.rim_to_in, new.cents, lower(new.valid), new.made_at, new.made_by)
      is not distinct from (old.id, old.job, old.rim_from_in, old.rim_to_in, old.cents, lower(old.valid), old.made_at, old.made_by)
      and new.state_code is not distinct from old.state_code then
    return new;
  end if;
  raise exception 'A rate is only ended.' using errcode = 'check_violation', constraint = 'pay_rate_only_ends';
end $function$;

CREATE OR REPLACE FUNCTION pay_transfer_adds_up()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  paid uuid := case when tg_table_name = 'pay_transfer' then (to_jsonb(new)->>'id')::uuid else (to_jsonb(coalesce(new, old))->>'transfer_id')::uuid end;
begin
  if exists (select from pay_transfer where id = paid and state <> 'refused' and amount_cents is distinct from (select sum(item.amount_cents) from pay_transfer_item item where item.transfer_id = paid)) then
    raise exception 'Transfer % is not the sum of what it pays.', paid using errcode = 'check_violation', constraint = 'pay_transfer_is_its_items';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION prepare_email_copy_months(ahead integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select prepare_months('email_copy', ahead) $function$;

CREATE OR REPLACE FUNCTION prepare_months(of_table text, ahead integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '3s'
AS $function$
declare
  divided record;
  month timestamptz;
  first text;
  beyond text;
  part text;
begin
  select * into strict divided from tables_by_month() as tables where tables.name = of_table;
  for month in
    select start at time zone 'UTC'
    from generate_series(date_trunc('month', now() at time zone 'UTC'), date_trunc('month', now() at time zone 'UTC') + make_interval(months => ahead), interval '1 month') as start
  loop
    part := of_table || to_char(month at time zone 'UTC', '_YYYYMM');
    continue when to_regclass(part) is not null;
    execute format('lock table %I in share row exclusive mode', divided.refers_to);
    first := month_key(divided.key, month);
    beyond := month_key(divided.key, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    execute format('create table %I (like %I including all)', part, of_table);
    execute format('comment on table %I is %L', part, 'A month of ' || of_table || '.');
    execute format(
      'with moved as (delete from %1$I where %2$I >= %3$s and %2$I < %4$s returning *) insert into %5$I select * from moved',
      of_table || '_other', divided.key, first, beyond, part);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', of_table, part, first, beyond);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION price_list_entry_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from price_list_version where id = new.version_id and starts_at is not null) then
    raise exception 'The entries of a scheduled version are not changed.' using errcode = 'check_violation', constraint = 'price_list_entry_never_edited';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION price_list_version_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at')
    or old.starts_at is not null and new.starts_at is not null and new.starts_at <> old.starts_at
    or old.starts_at is not null and new.starts_at is not null and coalesce(new.ends_at, 'infinity') > coalesce(old.ends_at, 'infinity') then
    raise exception 'A version of a price list only ends earlier.' using errcode = 'check_violation', constraint = 'price_list_version_never_edited';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION price_rules_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update price_list set version = version + 1 where id in (select price_list_id from changed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION promotion_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (to_jsonb(new) - 'starts_at' - 'ends_at') <> (to_jsonb(old) - 'starts_at' - 'ends_at') then
    raise exception 'A promotion is not edited: replace it with a new version.' using errcode = 'check_violation', constraint = 'promotion_never_edited';
  end if;
  if (new.starts_at <> old.starts_at or new.ends_at > old.ends_at) and exists (select from promotion_plan where promotion_id = new.id) then
    raise exception 'A promotion only ends earlier than planned.' using errcode = 'check_violation', constraint = 'promotion_ends_earlier_only';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION promotion_plan_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_draft boolean := old.promotion_id is null and new.promotion_id is null;
begin
  if is_draft and new.version = old.version + 1 and (new.id, new.form_key, new.replaces_id, new.created_by, new.created_at)
      is not distinct from (old.id, old.form_key, old.replaces_id, old.created_by, old.created_at) then
    return new;
  end if;
  if (to_jsonb(new) - 'promotion_id') <> (to_jsonb(old) - 'promotion_id') then
    raise exception 'A plan is edited only while it is a draft, with the next version.' using errcode = 'check_violation', constraint = 'promotion_plan_never_edited';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION purchase_order_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' and new.state <> 'held' then
    raise exception 'A purchase order begins held.' using errcode = 'check_violation', constraint = 'purchase_order_life';
  end if;
  if tg_op = 'UPDATE' and new.state <> old.state and (old.state, new.state) not in (
    ('held', 'released'), ('held', 'canceled'), ('released', 'accepted'), ('released', 'rejected'), ('released', 'canceled'),
    ('accepted', 'canceled'), ('rejected', 'released'), ('rejected', 'canceled')) then
    raise exception 'Purchase order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'purchase_order_life';
  end if;
  if new.state = 'released' and not exists (select from sales_order where id = new.order_id and released_at is not null and released_at >= cancel_until) then
    raise exception 'Order % can still be canceled.', new.order_id using errcode = 'check_violation', constraint = 'purchase_order_after_window';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION quote_lines_fixed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  held text;
begin
  select state into held from sales_quote where id = coalesce(new.quote_id, old.quote_id) for share;
  if held <> 'draft' then
    raise exception 'Quote % is no draft.', coalesce(new.quote_id, old.quote_id) using errcode = 'check_violation', constraint = 'quote_lines_fixed';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION quote_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> old.state and not exists (
    select from (values
      ('draft', 'needs-approval'), ('draft', 'sent'), ('draft', 'withdrawn'),
      ('needs-approval', 'draft'), ('needs-approval', 'sent'), ('needs-approval', 'withdrawn'),
      ('sent', 'delivered'), ('sent', 'bounced'), ('sent', 'opened'), ('sent', 'ordered'), ('sent', 'expired'), ('sent', 'withdrawn'), ('sent', 'replaced'),
      ('delivered', 'bounced'), ('delivered', 'opened'), ('delivered', 'ordered'), ('delivered', 'expired'), ('delivered', 'withdrawn'), ('delivered', 'replaced'),
      ('bounced', 'opened'), ('bounced', 'ordered'), ('bounced', 'expired'), ('bounced', 'withdrawn'), ('bounced', 'replaced'),
      ('opened', 'ordered'), ('opened', 'expired'), ('opened', 'withdrawn'), ('opened', 'replaced')
    ) as move (was, becomes) where was = old.state and becomes = new.state) then
    raise exception 'Quote % cannot become % from %.', new.id, new.state, old.state using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  if old.state not in ('draft', 'needs-approval') and (new.price_label, new.total_cents, new.email, new.sent_at)
    is distinct from (old.price_label, old.total_cents, old.email, old.sent_at) then
    raise exception 'Quote % was sent and is not edited.', new.id using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  if old.state not in ('draft', 'needs-approval') and (new.expires_at, new.good_through_on) is distinct from (old.expires_at, old.good_through_on)
    and (new.state <> old.state or old.state not in ('sent', 'delivered', 'bounced', 'opened')
      or new.expires_at <= old.expires_at or new.good_through_on <= old.good_through_on) then
    raise exception 'Quote % can only be extended while it is open.', new.id using errcode = 'check_violation', constraint = 'quote_moves';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION quote_vehicles_together()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  main bigint := coalesce(new.main_id, new.id);
begin
  if new.main_id is null and not exists (select from sales_quote where main_id = new.id) then
    return null;
  end if;
  if exists (select from sales_quote where id = main and main_id is not null)
    -- Open vehicles have the same customer, prices, delivery, and last day.
    or (select count(distinct (email, account_id, price_label, fulfillment, zip, shop_id, pickup_warehouse_id, carrier_location_id, good_through_on, expires_at))
        from sales_quote where main in (id, main_id) and state in ('draft', 'needs-approval', 'sent', 'delivered', 'bounced', 'opened')) > 1
    -- All are sent, approved, withdrawn, and replaced in one transaction.
    or (select count(distinct case
          when state in ('draft', 'needs-approval') then state
          when state in ('withdrawn', 'replaced') then 'ended'
          when state in ('sent', 'delivered', 'bounced', 'opened') then 'open' end)
        from sales_quote where main in (id, main_id)) > 1 then
    raise exception 'The vehicles of quote % differ.', main using errcode = 'check_violation', constraint = 'quote_vehicles_together';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION raise_calendar_versions(shop_ids integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  mine integer[];
begin
  mine := array(select shop_id from shop_calendar where shop_id = any(shop_ids) for no key update skip locked);
  -- A statement of its own, because it must see what was committed before the lock was given.
  with added as (
    delete from shop_calendar_late where shop_id = any(mine) returning shop_id)
  update shop_calendar set version = version + 1 + (select count(*) from added where added.shop_id = shop_calendar.shop_id) where shop_id = any(mine);
  if cardinality(mine) < cardinality(shop_ids) then
    -- A shop that is being deleted has no number any more.
    insert into shop_calendar_late (shop_id) select shop_id from shop_calendar where shop_id = any(shop_ids) and shop_id <> all(mine);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION rebate_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  allowed text[] := array['draft', 'retired_at', 'version', 'changed_at', 'changed_by'];
begin
  if new.version <> old.version + 1 or new.id <> old.id then
    raise exception 'A rebate changes with the next version.' using errcode = 'check_violation', constraint = 'rebate_next_version';
  end if;
  if old.draft and new.draft then
    return null;
  end if;
  if not old.draft and not new.draft then
    allowed := allowed || array['name', 'form_url', 'mail_to', 'ends_at', 'last_claim_on'];
  end if;
  if (to_jsonb(new) - allowed) <> (to_jsonb(old) - allowed) then
    raise exception 'The amount and tires of a rebate are edited only while it is a draft.' using errcode = 'check_violation', constraint = 'rebate_never_edited';
  end if;
  if new.ends_at <> old.ends_at and new.ends_at < new.changed_at then
    raise exception 'Purchases that a rebate was for stay in its period.' using errcode = 'check_violation', constraint = 'rebate_ends_in_past';
  end if;
  if new.last_claim_on < old.last_claim_on then
    raise exception 'A rebate can be claimed as long as shoppers bought for.' using errcode = 'check_violation', constraint = 'rebate_claims_until_later_only';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION recall_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.state, new.state) not in (('draft', 'open'), ('open', 'closed')) and new.state <> old.state then
    raise exception 'Recall % cannot become % from %.', new.campaign, new.state, old.state using errcode = 'check_violation', constraint = 'recall_life';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refunds_within_charge()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  most bigint;
  given bigint;
begin
  if new.state = 'refused' then
    return new;
  end if;
  select case when state = 'captured' then captured_cents else amount_cents end into most from payment where id = new.payment_id for no key update;
  select coalesce(sum(amount_cents), 0) into given from charge_refund where payment_id = new.payment_id and id <> new.id and state <> 'refused';
  if (given + new.amount_cents <= most) is not true then
    raise exception 'No more of the charge % is left to be given back.', new.payment_id using errcode = 'check_violation', constraint = 'refunds_within_charge';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_retired_category()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_retired boolean;
begin
  select retired into is_retired from category where slug = new.category_slug for share;
  if is_retired then
    raise exception 'Category % is retired.', new.category_slug using errcode = 'check_violation', constraint = 'product_line_category_in_use';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_retired_tire_type()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_retired boolean;
begin
  select retired into is_retired from tire_type where slug = new.type_slug for share;
  if is_retired then
    raise exception 'Tire type % is retired.', new.type_slug using errcode = 'check_violation', constraint = 'category_tire_type_in_use';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION refuse_to_retire_used_tire_type()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from category where type_slug = new.slug and not retired) then
    raise exception 'Tire type % has categories in use.', new.slug using errcode = 'check_violation', constraint = 'tire_type_retired_unused';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION release_held_stock()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from stock_hold where booking_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION remove_file_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into file_removal (key, place, due_at)
  select old.key, place, now() + interval '10 minutes'
  from unnest(array[old.place, old.going_to]) as place
  where place in ('folder', 's3')
  group by place
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION remove_named_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from stored_file where key = old.file_key;
  elsif new.file_key is distinct from old.file_key then
    delete from stored_file where key = old.file_key;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION require_capacity_every_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed integer := case tg_op when 'INSERT' then new.shop_id else old.shop_id end;
begin
  if exists (select from shop where id = changed) and (select range_agg(during) from shop_capacity where shop_id = changed) is distinct from '{(,)}'::datemultirange then
    raise check_violation using constraint = 'shop_capacity_every_day', message = 'A shop has a capacity on every day.';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION require_overlap_reasons()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  live own_job;
begin
  select * into live from own_job where id = new.id and state = 'planned';
  if found and exists (
    select from booking where bay_id = live.bay_id and booking.state in ('held', 'confirmed') and booking.during && live.during
      and not exists (select from own_job_overlap where own_job_id = live.id and booking_id = booking.id)) then
    raise exclusion_violation using constraint = 'own_job_overlap_has_reason', message = 'A job of the shop lies over a booking without a reason.';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION require_prices_every_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed integer := case tg_op when 'INSERT' then new.shop_id else old.shop_id end;
begin
  if exists (select from shop where id = changed) and (select range_agg(during) from shop_price_list where shop_id = changed) is distinct from '{(,)}'::datemultirange then
    raise check_violation using constraint = 'shop_price_list_every_day', message = 'A shop has a price list on every day.';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION retire_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Locked in key order, like everywhere.
  perform from item join product_line line on line.id = item.product_line_id
    where case tg_table_name when 'brand' then line.brand_id = new.id else line.id = new.id end order by item.id for no key update of item;
  if tg_table_name = 'brand' then
    update item set retired = new.retired or line.retired from product_line line
      where line.brand_id = new.id and item.product_line_id = line.id and item.retired <> (new.retired or line.retired);
  else
    update item set retired = new.retired or brand.retired from brand
      where brand.id = new.brand_id and item.product_line_id = new.id and item.retired <> (new.retired or brand.retired);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION return_tire_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'requested' then
      raise exception 'A tire of a return begins as requested, not %.', new.state using errcode = 'check_violation', constraint = 'return_tire_life';
    end if;
  elsif new.state <> old.state and (old.state, new.state) not in (
    ('requested', 'labeled'), ('requested', 'received'), ('requested', 'canceled'),
    ('labeled', 'shipped'), ('labeled', 'received'), ('labeled', 'canceled'),
    ('shipped', 'received'),
    ('received', 'accepted'), ('received', 'refused'),
    ('accepted', 'refunded')) then
    raise exception 'A tire of a return does not go from % to %.', old.state, new.state using errcode = 'check_violation', constraint = 'return_tire_life';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION return_units_within_delivered()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  delivered bigint;
  taken bigint;
begin
  perform 1 from sales_order where id = new.order_id for no key update;
  select coalesce(sum(a.quantity), 0) into delivered
  from stock_allocation a join shipment h on h.order_id = a.order_id and h.warehouse_id = a.warehouse_id
  where a.order_id = new.order_id and a.line_no = new.line_no and h.state = 'delivered';
  select count(*) into taken from return_tire
  where order_id = new.order_id and line_no = new.line_no and state <> 'canceled' and (return_id, tire_no) <> (new.return_id, new.tire_no);
  if taken + 1 > delivered or new.unit > (select quantity from order_line where order_id = new.order_id and line_no = new.line_no and kind = 'tire') is not false
    or (select order_id from order_return where id = new.return_id) is distinct from new.order_id then
    raise exception 'No more tires of line % of order % can be returned.', new.line_no, new.order_id
      using errcode = 'check_violation', constraint = 'return_units_within_delivered';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION review_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  lines integer[];
begin
  if tg_op = 'INSERT' then
    lines := array(select distinct product_line_id from changed where state = 'published');
  elsif tg_op = 'DELETE' then
    lines := array(select distinct product_line_id from gone where state = 'published');
  else
    lines := array(
      select distinct unnest(array[later.product_line_id, earlier.product_line_id]) from changed later join gone earlier on earlier.id = later.id
      where (later.product_line_id, later.state, later.overall_hundredths, later.dry, later.wet, later.winter, later.comfort, later.noise, later.treadwear, later.buy_again)
        is distinct from
        (earlier.product_line_id, earlier.state, earlier.overall_hundredths, earlier.dry, earlier.wet, earlier.winter, earlier.comfort, earlier.noise, earlier.treadwear, earlier.buy_again));
  end if;
  if cardinality(lines) > 0 then
    perform line_rating_refresh(lines);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION review_mark_is_proven()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.verified_order_id is not null and not order_brought_line(new.verified_order_id, new.product_line_id) then
    raise exception 'order % brought no tires of line %', new.verified_order_id, new.product_line_id
      using errcode = 'check_violation', constraint = 'review_mark_is_proven';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION review_vote_counted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update review set helpful_count = helpful_count + 1 where id = new.review_id;
  else
    update review set helpful_count = helpful_count - 1 where id = old.review_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION shipment_label_on_manifest_is_not_voided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from manifest_parcel where shipment_id = new.shipment_id and refusal is null) then
    raise exception 'The label of parcel % is on a manifest.', new.shipment_id
      using errcode = 'check_violation', constraint = 'shipment_label_on_manifest_is_not_voided';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION shipment_may_move(was text, becomes text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (was, becomes) in (
    ('processed', 'pending-pickup'),
    ('processed', 'canceled'),
    ('pending-pickup', 'in-transit'),
    ('pending-pickup', 'canceled'),
    ('in-transit', 'delivered'),
    ('in-transit', 'returned'),
    ('delivered', 'returned'))
$function$;

CREATE OR REPLACE FUNCTION shipment_moves_by_its_life()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not shipment_may_move(old.state, new.state) then
    raise exception 'Shipment % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'shipment_life';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION shipping_plan_is_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Shipping plans are only added to.' using errcode = 'check_violation', constraint = 'shipping_plan_append_only';
end $function$;

CREATE OR REPLACE FUNCTION shipping_zips_are_apart(plan jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  with entry as (
    select zone.number, split_part(zip, '-', 1) as first, split_part(zip, '-', case when zip like '%-%' then 2 else 1 end) as last
    from jsonb_array_elements(plan -> 'zones') with ordinality as zone(rule, number),
      jsonb_array_elements_text(coalesce(zone.rule -> 'zips', '[]'::jsonb)) as zip
  )
  select not exists (
    select from entry as one join entry as other on one.number < other.number
      and length(one.first) = length(other.first) and one.first <= other.last and other.first <= one.last
  )
$function$;

CREATE OR REPLACE FUNCTION shipping_zones_are_apart(plan jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select count(*) = count(distinct state) from jsonb_path_query(plan, '$.zones[*].states[*]') as state
$function$;

CREATE OR REPLACE FUNCTION shop_application_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.state <> old.state and (old.state, new.state) not in (
    ('submitted', 'asked'), ('submitted', 'approved'), ('submitted', 'refused'), ('submitted', 'withdrawn'),
    ('asked', 'submitted'), ('asked', 'approved'), ('asked', 'refused'), ('asked', 'withdrawn')) then
    raise exception 'Application % cannot become % from %.', new.id, new.state, old.state
      using errcode = 'check_violation', constraint = 'shop_application_life';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION shop_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  case tg_op
    when 'INSERT' then insert into shop_calendar (shop_id) select id from became;
    else perform raise_calendar_versions(array(select id from became));
  end case;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION shop_closes_decided()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if shop_undecided(new) > 0 then
    raise exception 'Shop % has undecided appointments after its last day.', new.id using errcode = 'check_violation', constraint = 'shop_closes_decided';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION shop_undecided(asked shop)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select count(*) from booking
  where shop_id = asked.id and state = 'confirmed' and (lower(during) at time zone asked.time_zone)::date > asked.last_day
    and lower(during) > (asked.last_day::timestamp at time zone asked.time_zone)
    and not exists (select from kept_appointment where booking_id = booking.id)
$function$;

CREATE OR REPLACE FUNCTION staff_keeps_an_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.role <> 'owner' or old.revoked_at is not null then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtext('staff_grant'));
  if not exists (
    select from staff_grant
    where role = 'owner' and revoked_at is null and (old.bound_at is null or bound_at is not null)) then
    raise exception 'The store needs an owner.' using errcode = 'check_violation', constraint = 'staff_has_an_owner';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION state_tax_copies_built_in()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.built_in := coalesce(new.built_in, new.product);
  new.product := new.built_in;
  new.is_built_in := new.is_built_in or new.is_product;
  new.is_product := new.is_built_in;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION state_tax_is_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.canceled_at is null
    and to_jsonb(old) - 'canceled_at' - 'canceled_by' = to_jsonb(new) - 'canceled_at' - 'canceled_by' then
    return new;
  end if;
  raise exception 'State taxes are only added to.' using errcode = 'check_violation', constraint = 'state_tax_append_only';
end $function$;

CREATE OR REPLACE FUNCTION state_tax_raises_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update sales_tax_table set version = version + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION stock_allocation_from_open_warehouse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from warehouse where id = new.warehouse_id and retired_at is not null) then
    raise exception 'Warehouse % is closing.', new.warehouse_id
      using errcode = 'check_violation', constraint = 'stock_allocation_from_open_warehouse';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION stock_of_closing_warehouse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare closed timestamptz;
begin
  select closed_at into closed from warehouse where id = new.warehouse_id and supplier_id is null and retired_at is not null;
  if found then
    new.closed_units := new.closed_units + new.on_hand;
    new.on_hand := 0;
    if closed is not null then update warehouse set closed_at = null, version = version + 1 where id = new.warehouse_id; end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION stock_order_line_fixed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from stock_order where id = coalesce(new.stock_order_id, old.stock_order_id) and state <> 'draft')
    and (tg_op <> 'UPDATE' or (new.item_id, new.quantity, new.unit_cost_cents) is distinct from (old.item_id, old.quantity, old.unit_cost_cents)) then
    raise exception 'Only a draft can be changed.' using errcode = 'check_violation', constraint = 'stock_order_line_of_draft';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION stock_order_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' and new.state <> 'draft' then
    raise exception 'An order for stock begins as a draft.' using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if tg_op = 'UPDATE' and new.state <> old.state and (old.state, new.state) not in (
    ('draft', 'sending'), ('draft', 'sent'), ('draft', 'canceled'), ('sending', 'draft'), ('sending', 'sent'), ('sending', 'canceled'),
    ('sent', 'partly-received'), ('sent', 'received'), ('sent', 'canceled'),
    ('partly-received', 'received'), ('partly-received', 'canceled')) then
    raise exception 'Stock order % cannot go from % to %.', new.id, old.state, new.state using errcode = 'check_violation', constraint = 'stock_order_life';
  end if;
  if new.state in ('sending', 'sent') and not exists (select from stock_order_line where stock_order_id = new.id) then
    raise exception 'Stock order % has no lines.', new.id using errcode = 'check_violation', constraint = 'stock_order_has_lines';
  end if;
  if not exists (select from warehouse where id = new.warehouse_id and pool = 'on-hand') then
    raise exception 'Stock order % is for a warehouse of a supplier.', new.id using errcode = 'check_violation', constraint = 'stock_order_own_warehouse';
  end if;
  if (tg_op = 'INSERT' or (old.state = 'draft' and new.state in ('sending', 'sent')))
    and exists (select from warehouse where id = new.warehouse_id and retired_at is not null) then
    raise exception 'Stock order % is for a warehouse that is closing.', new.id using errcode = 'check_violation', constraint = 'stock_order_open_warehouse';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION store_setting_is_added_to()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'Settings are only added to.' using errcode = 'check_violation', constraint = 'store_setting_append_only';
end $function$;

CREATE OR REPLACE FUNCTION store_state_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The state of the store is not deleted.' using errcode = 'check_violation', constraint = 'store_state_stays';
end $function$;

CREATE OR REPLACE FUNCTION stored_set_follows_its_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not exists (select from work_order job join order_line line on line.order_id = job.order_id and line.kind = 'service'
      where job.order_id = new.order_id and job.shop_id = new.shop_id and job.state = 'done') then
      raise exception 'The set of order % is stored before its service is done.', new.order_id
        using errcode = 'check_violation', constraint = 'stored_set_follows_its_job';
    end if;
  elsif (new.order_id, new.shop_id, new.stored_at, new.stored_on, new.stored_until) is distinct from (old.order_id, old.shop_id, old.stored_at, old.stored_on, old.stored_until)
    or old.returned_at is not null and (new.place, new.returned_at) is distinct from (old.place, old.returned_at) then
    raise exception 'The storage of the set of order % is agreed or over.', new.order_id
      using errcode = 'check_violation', constraint = 'stored_set_follows_its_job';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tables_by_month()
 RETURNS TABLE(name text, key text, refers_to text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  values ('email_copy', 'message_id', 'message'), ('provider_event_body', 'received_at', 'provider_event')
$function$;

CREATE OR REPLACE FUNCTION take_stock(wanted json, of_cart uuid, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare taken integer;
begin
  perform from warehouse where id in (select warehouse_id from json_to_recordset(wanted) as want (warehouse_id smallint)) order by id for share;
  perform from stock join json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer) using (item_id, warehouse_id)
  order by stock.item_id, stock.warehouse_id for update of stock;
  -- The order's own units are in its parcels now.
  delete from stock_hold using booking where booking.id = stock_hold.booking_id and booking.cart_id = of_cart;
  update stock set on_hand = on_hand - want.quantity
  from json_to_recordset(wanted) as want (item_id integer, warehouse_id smallint, quantity integer)
  where stock.item_id = want.item_id and stock.warehouse_id = want.warehouse_id
    and on_hand - want.quantity >= held_units(stock.item_id, stock.warehouse_id, of_cart, at);
  get diagnostics taken = row_count;
  return taken = json_array_length(wanted);
end $function$;

CREATE OR REPLACE FUNCTION tell_of_booking_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_webhook_event(
    case when new.to_state = 'canceled' then 'appointment.canceled' when new.to_state = 'done' then 'appointment.completed'
      when new.from_state = 'confirmed' then 'appointment.moved' else 'appointment.booked' end,
    new.id::text, new.at, event_order => booking.order_id, event_booking => booking.id)
  from booking where booking.id = new.booking_id and booking.order_id is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_of_order_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_webhook_event(
    case when new.from_state is null then 'order.placed' else 'order.canceled' end, new.order_id::text, new.at, event_order => new.order_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_of_return_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  event_type text := case new.to_state
    when 'requested' then 'return.requested' when 'received' then 'return.received' when 'refused' then 'return.refused'
    when 'canceled' then 'return.canceled' else 'return.refunded' end;
  behind text[] := case new.to_state
    when 'requested' then array[]::text[]
    when 'refused' then array[]::text[]
    when 'received' then array['requested', 'labeled', 'shipped']
    when 'canceled' then array['requested', 'labeled', 'shipped', 'received', 'accepted', 'refused', 'refunded']
    else array['requested', 'labeled', 'shipped', 'received', 'accepted'] end;
begin
  if exists (select from return_tire where return_id = new.return_id and state = any (behind)) then return null; end if;
  perform write_webhook_event(event_type, order_return.id::text, new.at, event_order => order_return.order_id, event_return => order_return.id)
  from order_return where order_return.id = new.return_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tell_of_shipment_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_webhook_event(
    case new.to_state when 'delivered' then 'shipment.delivered' else 'shipment.shipped' end, shipment.id::text, new.at,
    event_order => shipment.order_id, event_shipment => shipment.id)
  from shipment where shipment.id = new.shipment_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION tire_filter_is_never_edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A tire filter is not edited: add another one.' using errcode = 'check_violation', constraint = 'tire_filter_never_edited';
end $function$;

CREATE OR REPLACE FUNCTION tire_registration_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.export_no is not null or new.tin <> old.tin then
    raise exception 'Registration % was handed over or names another tire.', old.id using errcode = 'check_violation', constraint = 'tire_registration_stays';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tire_rotation_forward()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- One after the other, so that two forms at once cannot both pass.
  perform from account where id = new.account_id for no key update;
  if exists (
    select from tire_rotation other
    where other.account_id = new.account_id and other.order_id = new.order_id and other.nth <> new.nth
      and (other.rotated_on < new.rotated_on and other.odometer_miles > new.odometer_miles
        or other.rotated_on > new.rotated_on and other.odometer_miles < new.odometer_miles)) then
    raise exception 'The odometer goes back.' using errcode = 'check_violation', constraint = 'tire_rotation_forward';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION tires_of_filter(of_filter integer)
 RETURNS TABLE(item_id integer)
 LANGUAGE sql
 STABLE
AS $function$
  select item.id
  from tire_filter filter
    join item on filter.size_id is null or item.size_id = filter.size_id
    join size on size.id = item.size_id
    join product_line line on line.id = item.product_line_id
    join category on category.slug = line.category_slug
  where filter.id = of_filter
    and (filter.type_slug is null or category.type_slug = filter.type_slug)
    and (filter.category_slug is null or line.category_slug = filter.category_slug)
    and (filter.season is null or line.tread = filter.season)
    and (filter.vehicle_class is null or filter.vehicle_class = case
      when size.kind = 'P' then 'passenger' when size.kind in ('LT', 'FLOTATION', 'C') then 'light-truck' when size.kind = 'ST' then 'trailer' when size.kind = 'COMMERCIAL' then 'commercial' end)
    and (filter.supplier_code is null or exists (
      select from stock join warehouse on warehouse.id = stock.warehouse_id join supplier on supplier.id = warehouse.supplier_id
      where stock.item_id = item.id and supplier.code = filter.supplier_code))
$function$;

CREATE OR REPLACE FUNCTION travel_minutes(one text, other text)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when one = other then 10
    else coalesce((
      select least(180, 5 * ceil((10 + 2.4 * 2 * 3958.8 * asin(least(1, sqrt(
        sin(radians(b.latitude - a.latitude) / 2) ^ 2
        + cos(radians(a.latitude)) * cos(radians(b.latitude)) * sin(radians(b.longitude - a.longitude) / 2) ^ 2)))) / 5))::integer
      from zip a, zip b where a.zip = one and b.zip = other and a.latitude is not null and b.latitude is not null), 180)
  end
$function$;

CREATE OR REPLACE FUNCTION warehouse_closes_empty()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from warehouse_open_work(new.id, new.closed_at) where open > 0) then
    raise exception 'Warehouse % still has open work.', new.id using errcode = 'check_violation', constraint = 'warehouse_closes_empty';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION warehouse_open_work(of_warehouse smallint, at timestamp with time zone)
 RETURNS TABLE(kind text, open integer)
 LANGUAGE sql
 STABLE
AS $function$
  with parcel as (
    select sales_order.fulfillment from shipment join sales_order on sales_order.id = shipment.order_id
    where shipment.warehouse_id = of_warehouse and shipment.state in ('processed', 'pending-pickup')
      and exists (select from stock_allocation part where part.order_id = shipment.order_id and part.warehouse_id = shipment.warehouse_id))
  select 'parcels', count(*)::integer from parcel where fulfillment <> 'warehouse-pickup'
  union all
  select 'pickups', count(*)::integer from parcel where fulfillment = 'warehouse-pickup'
  union all
  select 'holds', count(distinct booking.id)::integer from stock_hold hold join booking on booking.id = hold.booking_id
  where hold.warehouse_id = of_warehouse and booking.state = 'held' and booking.hold_expires_at > at
  union all
  select 'stock-orders', count(*)::integer from stock_order
  where warehouse_id = of_warehouse and state in ('draft', 'sending', 'sent', 'partly-received')
  union all
  select 'units', coalesce(sum(on_hand + closed_units), 0)::integer from stock where warehouse_id = of_warehouse
$function$;

CREATE OR REPLACE FUNCTION work_order_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  missing integer;
begin
  if old.state = 'done' then
    raise exception 'The work order of booking % is finished.', new.booking_id using errcode = 'check_violation', constraint = 'work_order_done_stays';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
    ('open', 'arrived'), ('open', 'no-show'), ('open', 'wrong-tires'), ('open', 'refused'),
    ('arrived', 'in-bay'), ('arrived', 'done'), ('arrived', 'wrong-vehicle'), ('arrived', 'wrong-tires'), ('arrived', 'refused'),
    ('in-bay', 'done'), ('in-bay', 'wrong-vehicle'), ('in-bay', 'wrong-tires'), ('in-bay', 'refused'),
    ('wrong-vehicle', 'arrived'), ('wrong-vehicle', 'refused')) then
    raise exception 'The work order of booking % cannot become % from %.', new.booking_id, new.state, old.state
      using errcode = 'check_violation', constraint = 'work_order_life';
  end if;
  if new.state = 'done' then
    select coalesce(sum(greatest(line.quantity - canceled_units(line.order_id, line.line_no), 0)), 0) - (
        select count(*) from work_order_tire tire where tire.booking_id = new.booking_id and tire.tin is not null and tire.old_tread_32 is not null)
      into missing from order_line line where line.order_id = new.order_id and line.kind = 'tire';
    if missing <> 0 then
      raise exception 'The work order of booking % lacks % tires.', new.booking_id, missing using errcode = 'check_violation', constraint = 'work_order_done_has_every_tin';
    end if;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION work_order_needs_packet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  packet fleet_packet;
begin
  if new.state <> 'done' or old.state = 'done' then
    return new;
  end if;
  select * into packet from fleet_packet where order_id = new.order_id for share;
  if found and (packet.unit is null or packet.driver is null or packet.plate is null or packet.plate_state is null or new.vin_end is null) then
    raise exception 'The work order of booking % lacks parts of its fleet packet.', new.booking_id
      using errcode = 'check_violation', constraint = 'work_order_done_has_packet';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION work_order_needs_pieces()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  missing bigint;
begin
  if new.state not in ('arrived', 'done') or new.state = old.state then
    return new;
  end if;
  missing := work_order_pieces_missing(new.booking_id, new.order_id);
  if missing > 0 then
    raise exception 'The work order of booking % lacks % pieces.', new.booking_id, missing
      using errcode = 'check_violation', constraint = 'work_order_has_every_piece';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION work_order_piece_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from work_order where booking_id = coalesce(old.booking_id, new.booking_id) and state = 'done') then
    raise exception 'The pieces of a finished job stay as they were counted.' using errcode = 'check_violation', constraint = 'work_order_piece_stays';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION work_order_pieces_missing(of_booking uuid, of_order bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(greatest(line.quantity - canceled_units(line.order_id, line.line_no) - coalesce(piece.received, 0), 0)), 0)
  from order_line line
  left join work_order_piece piece on piece.booking_id = of_booking and piece.line_no = line.line_no
  where line.order_id = of_order and line.kind = 'tire'
$function$;

CREATE OR REPLACE FUNCTION work_order_tire_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from work_order where booking_id = coalesce(old.booking_id, new.booking_id) and state = 'done') then
    raise exception 'The tires of a finished job stay as they are.' using errcode = 'check_violation', constraint = 'work_order_tire_stays';
  end if;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION write_order_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed bigint := case tg_table_name when 'sales_order' then (to_jsonb(new) ->> 'id')::bigint else (to_jsonb(new) ->> 'order_id')::bigint end;
begin
  perform write_webhook_event('order.changed', changed || ':' || pg_current_xact_id(), now(), event_order => changed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION write_refund_issued()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_webhook_event('refund.issued', new.transfer_id::text, new.at, event_order => new.order_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION write_shop_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  is_open boolean := new.status = 'open' and not new.in_set_up;
  was_open boolean := tg_op = 'UPDATE';
  was_paused daterange;
  event_type text;
begin
  if tg_op = 'UPDATE' then
    was_open := old.status = 'open' and not old.in_set_up;
    was_paused := old.paused;
  end if;
  event_type := case
    when new.status = 'closed' and was_open then 'shop.closed'
    when new.status = 'suspended' and was_open then 'shop.suspended'
    when tg_op = 'UPDATE' and new.status <> 'open' and new.status <> old.status then 'shop.' || new.status
    when is_open and not was_open then 'shop.opened'
    when is_open and new.paused is distinct from was_paused then case when new.paused is null then 'shop.opened' else 'shop.paused' end end;
  if event_type is null then return null; end if;
  perform write_webhook_event(event_type, new.id || ':' || pg_current_xact_id(), now(), event_shop => new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION write_shop_profile_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform write_webhook_event('shop.changed', new.id || ':' || pg_current_xact_id(), now(), event_shop => new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION write_stock_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
declare
  worth_naming constant integer := 100;
  items integer[];
  warehouses smallint[];
  events bigint[];
  due timestamptz := now() + interval '1 minute';
begin
  if not exists (select from webhook_endpoint where is_store and state <> 'removed' and 'stock.changed' = any (event_types)) then return null; end if;
  if tg_op = 'UPDATE' then
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from old_rows old_row join new_rows new_row using (item_id, warehouse_id) where old_row.on_hand <> new_row.on_hand;
  elsif tg_op = 'INSERT' then
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from new_rows where on_hand > 0;
  else
    select array_agg(item_id order by item_id, warehouse_id), array_agg(warehouse_id order by item_id, warehouse_id) into items, warehouses
    from old_rows where on_hand > 0;
  end if;
  if items is null then return null; end if;
  if cardinality(items) > worth_naming then
    insert into webhook_event (type, at) values ('stock.changed', now()) returning array[id] into events;
  else
    with written as (
      insert into webhook_event (type, item_id, warehouse_id, is_open, at)
      select 'stock.changed', item, warehouse, true, now() from unnest(items, warehouses) as stock_row (item, warehouse)
      on conflict (item_id, warehouse_id) where is_open do update set at = excluded.at
      returning id)
    select array_agg(id) into events from written;
  end if;
  insert into webhook_delivery (event_id, endpoint_id, state, next_at, fault, created_at, settled_at)
  select event, endpoint.id, case endpoint.state when 'active' then 'waiting' else 'dead' end,
    case endpoint.state when 'active' then due end, case endpoint.state when 'active' then null else 'paused' end,
    now(), case endpoint.state when 'active' then null else now() end
  from unnest(events) as event cross join webhook_endpoint endpoint
  where endpoint.is_store and endpoint.state <> 'removed' and 'stock.changed' = any (endpoint.event_types)
  order by event, endpoint.id
  on conflict do nothing;
  -- A dead letter of an event that is still open is due again, if its endpoint was resumed since.
  update webhook_delivery delivery
  set state = 'waiting', attempts = 0, next_at = due, settled_at = null, first_tried_at = null, status = null, fault = null
  from webhook_endpoint endpoint
  where delivery.event_id = any (events) and delivery.state = 'dead' and endpoint.id = delivery.endpoint_id and endpoint.state = 'active';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION write_webhook_event(event_type text, event_fact text, event_at timestamp with time zone, event_order bigint DEFAULT NULL::bigint, event_shipment uuid DEFAULT NULL::uuid, event_booking uuid DEFAULT NULL::uuid, event_return bigint DEFAULT NULL::bigint, event_shop integer DEFAULT NULL::integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  event bigint;
  buying_company uuid;
  leading_widget text;
begin
  if event_order is not null then
    select company.id into buying_company from sales_order join company on company.id = sales_order.company_id and company.state = 'approved' where sales_order.id = event_order;
    select widget.id into leading_widget from order_attribution join partner_widget widget on widget.id = order_attribution.widget_id and widget.closed_at is null
    where order_attribution.order_id = event_order;
  end if;
  if not exists (
    select from webhook_endpoint endpoint
    where endpoint.state <> 'removed' and event_type = any (endpoint.event_types)
      and (endpoint.is_store or endpoint.company_id = buying_company or endpoint.widget_id = leading_widget)) then
    return;
  end if;
  insert into webhook_event (type, fact, order_id, shipment_id, booking_id, return_id, shop_id, at)
  values (event_type, event_fact, event_order, event_shipment, event_booking, event_return, event_shop, event_at)
  on conflict do nothing returning id into event;
  if event is null then return; end if;
  insert into webhook_delivery (event_id, endpoint_id, order_id, state, next_at, fault, created_at, settled_at)
  select event, endpoint.id, event_order, case endpoint.state when 'active' then 'waiting' else 'dead' end,
    case endpoint.state when 'active' then event_at end, case endpoint.state when 'active' then null else 'paused' end,
    event_at, case endpoint.state when 'active' then null else event_at end
  from webhook_endpoint endpoint
  where endpoint.state <> 'removed' and event_type = any (endpoint.event_types)
    and (endpoint.is_store or endpoint.company_id = buying_company or endpoint.widget_id = leading_widget)
  order by endpoint.id;
  perform graphile_worker.add_job('deliver-webhooks', json_build_object(), queue_name := 'webhooks', job_key := 'deliver-webhooks', flags := array['keyed']);
end $function$;
