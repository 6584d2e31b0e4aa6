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
CREATE UNIQUE INDEX account_by_verified_email ON account USING btree (email) WHERE (email_verified_at IS NOT NULL);

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
  constraint account_address_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint account_address_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint account_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
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
  constraint account_grant_pkey PRIMARY KEY (id),
  constraint account_grant_one_at_a_time EXCLUDE USING gist (account_id WITH =, tstzrange(starts_at, ends_at) WITH &&), -- An account has one type at a time.
  constraint account_grant_check CHECK ((starts_at < ends_at)),
  constraint account_grant_check1 CHECK (((promised_until IS NULL) OR (how = 'purchase'::text))),
  constraint account_grant_granted_by_check CHECK (((length(granted_by) >= 1) AND (length(granted_by) <= 200))),
  constraint account_grant_how_check CHECK ((how = ANY (ARRAY['invitation'::text, 'company-domain'::text, 'staff'::text, 'purchase'::text]))),
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

-- Attempts within a window, counted for all processes together (columns of rate-limiter-flexible).
create table attempt_count (
  key text not null,
  points integer not null,
  expire bigint not null,
  constraint try_count_pkey PRIMARY KEY (key)
);

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
  constraint booking_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id),
  constraint booking_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint booking_shop_id_bay_id_fkey FOREIGN KEY (shop_id, bay_id) REFERENCES shop_bay(shop_id, id),
  constraint booking_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX booking_by_cart ON booking USING btree (cart_id, created_at);
CREATE INDEX booking_by_holder ON booking USING btree (held_by) WHERE (state = 'held'::text);
CREATE INDEX booking_by_shop ON booking USING gist (shop_id, during) WHERE (state = ANY (ARRAY['held'::text, 'confirmed'::text]));
CREATE INDEX booking_expiring ON booking USING btree (hold_expires_at) WHERE (state = 'held'::text);
CREATE UNIQUE INDEX booking_one_hold_per_cart ON booking USING btree (cart_id) WHERE (state = 'held'::text);
CREATE UNIQUE INDEX booking_one_per_order ON booking USING btree (order_id) WHERE (state = 'confirmed'::text);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON booking REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON booking REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON booking REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();

-- Every change of a booking, with who and when.
create table booking_event (
  id bigint not null generated always as identity,
  booking_id uuid not null,
  at timestamp with time zone not null,
  from_state text,
  to_state text not null,
  actor text not null,
  note text,
  constraint booking_event_pkey PRIMARY KEY (id),
  constraint booking_event_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE
);
CREATE INDEX booking_event_by_booking ON booking_event USING btree (booking_id);

-- Brands that are sold.
create table brand (
  id integer not null generated always as identity,
  slug text not null,
  name text not null,
  tier text not null,
  about text not null,
  wordmark jsonb not null,
  constraint brand_pkey PRIMARY KEY (id),
  constraint brand_name_key UNIQUE (name),
  constraint brand_slug_key UNIQUE (slug),
  constraint brand_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint brand_tier_check CHECK ((tier = ANY (ARRAY['value'::text, 'mid'::text, 'premium'::text])))
);

-- Counters where a carrier keeps a parcel for its receiver.
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
  hours text not null,
  constraint carrier_location_pkey PRIMARY KEY (id)
);
CREATE INDEX carrier_location_by_place ON carrier_location USING btree (latitude, longitude);

-- What a shopper means to buy, with how and where; becomes at most one order.
create table cart (
  id uuid not null,
  state text not null default 'open'::text,
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
  constraint cart_pkey PRIMARY KEY (id),
  constraint cart_check CHECK (((shop_id IS NULL) OR (fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text])))),
  constraint cart_check1 CHECK (((carrier_location_id IS NULL) OR (fulfillment = 'carrier-pickup'::text))),
  constraint cart_check2 CHECK (((referral_code IS NULL) OR (referral_opened_at IS NOT NULL))),
  constraint cart_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text, 'home'::text, 'carrier-pickup'::text]))),
  constraint cart_payment_method_check CHECK ((payment_method = ANY (ARRAY['card'::text, 'net-terms'::text]))),
  constraint cart_state_check CHECK ((state = ANY (ARRAY['open'::text, 'ordered'::text]))),
  constraint cart_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint cart_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint cart_referral_code_fkey FOREIGN KEY (referral_code) REFERENCES referral_link(code) ON DELETE SET NULL,
  constraint cart_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id),
  constraint cart_zip_fkey FOREIGN KEY (zip) REFERENCES zip(zip)
);
CREATE INDEX cart_by_account ON cart USING btree (account_id, updated_at) WHERE (account_id IS NOT NULL);

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
  constraint cart_billing_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint cart_billing_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint cart_billing_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON DELETE CASCADE
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
  constraint cart_contact_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint cart_contact_phone_type_check CHECK ((phone_type = ANY (ARRAY['mobile'::text, 'home'::text, 'work'::text]))),
  constraint cart_contact_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON DELETE CASCADE
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
  constraint cart_line_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON DELETE CASCADE,
  constraint cart_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id)
);
CREATE INDEX cart_line_by_item ON cart_line USING btree (item_id);

-- The price a cart was last shown at, so that what moved can be said.
create table cart_quote (
  cart_id uuid not null,
  fingerprint text not null,
  breakdown jsonb not null,
  shown_at timestamp with time zone not null,
  constraint cart_quote_pkey PRIMARY KEY (cart_id),
  constraint cart_quote_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id) ON DELETE CASCADE
);

-- Categories of tires, such as touring all-season; each of one type.
create table category (
  slug text not null,
  name text not null,
  type_slug text not null,
  definition text not null,
  position smallint not null,
  audience text not null default ''::text,
  constraint category_pkey PRIMARY KEY (slug),
  constraint category_position_key UNIQUE ("position"),
  constraint category_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint category_type_slug_fkey FOREIGN KEY (type_slug) REFERENCES tire_type(slug)
);

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
  constraint company_pkey PRIMARY KEY (id),
  constraint company_about_check CHECK ((length(about) <= 2000)),
  constraint company_check CHECK (((state = 'applied'::text) = (decided_at IS NULL))),
  constraint company_check1 CHECK (((decided_at IS NULL) = (decided_by IS NULL))),
  constraint company_check2 CHECK (((net_days IS NULL) = (credit_limit_cents IS NULL))),
  constraint company_credit_is_approved CHECK (((net_days IS NULL) OR (state = ANY (ARRAY['approved'::text, 'closed'::text])))), -- Only approved companies have terms.
  constraint company_credit_limit_cents_check CHECK ((credit_limit_cents > 0)),
  constraint company_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint company_kind_check CHECK ((kind = ANY (ARRAY['fleet'::text, 'special-order'::text]))),
  constraint company_name_check CHECK (((length(name) >= 2) AND (length(name) <= 100))),
  constraint company_net_days_check CHECK (((net_days >= 1) AND (net_days <= 120))),
  constraint company_phone_check CHECK ((phone ~ '^[0-9]{10}$'::text)),
  constraint company_po_mask_check CHECK ((po_mask ~ '^[A-Za-z0-9#?* ./_-]{1,40}$'::text)),
  constraint company_po_rule_check CHECK ((po_rule = ANY (ARRAY['required'::text, 'optional'::text, 'off'::text]))),
  constraint company_state_check CHECK ((state = ANY (ARRAY['applied'::text, 'approved'::text, 'refused'::text, 'closed'::text]))),
  constraint company_vehicles_check CHECK (((vehicles >= 1) AND (vehicles <= 100000)))
);
CREATE INDEX company_by_state ON company USING btree (state, applied_at) WHERE (state = 'applied'::text);

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
  content_type text not null,
  bytes bytea not null,
  constraint company_exemption_pkey PRIMARY KEY (id),
  constraint company_exemption_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 1048576))),
  constraint company_exemption_certificate_number_check CHECK (((length(certificate_number) >= 1) AND (length(certificate_number) <= 40))),
  constraint company_exemption_check CHECK (((state = 'waiting'::text) = (decided_at IS NULL))),
  constraint company_exemption_check1 CHECK (((decided_at IS NULL) = (decided_by IS NULL))),
  constraint company_exemption_content_type_check CHECK ((content_type = ANY (ARRAY['image/webp'::text, 'application/pdf'::text]))),
  constraint company_exemption_decided_by_check CHECK (((length(decided_by) >= 1) AND (length(decided_by) <= 100))),
  constraint company_exemption_file_name_check CHECK (((length(file_name) >= 1) AND (length(file_name) <= 120))),
  constraint company_exemption_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'accepted'::text, 'refused'::text]))),
  constraint company_exemption_state_code_check CHECK ((state_code ~ '^[A-Z]{2}$'::text)),
  constraint company_exemption_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE INDEX company_exemption_by_company ON company_exemption USING btree (company_id, state_code, expires_on);
CREATE UNIQUE INDEX company_exemption_waiting_once ON company_exemption USING btree (company_id, state_code) WHERE (state = 'waiting'::text);

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
  constraint company_member_pkey PRIMARY KEY (account_id),
  constraint company_member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'buyer'::text, 'viewer'::text]))),
  constraint company_member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint company_member_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE
);
CREATE INDEX company_member_by_company ON company_member USING btree (company_id);
CREATE CONSTRAINT TRIGGER company_has_an_owner AFTER INSERT OR DELETE OR UPDATE ON company_member DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION company_keeps_an_owner(); -- A company with members has an owner.

-- Who ordered, by email.
create table customer (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  constraint customer_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX customer_by_email ON customer USING btree (lower(email));
CREATE INDEX customer_by_mailbox ON customer USING btree (mailbox_of(email));

-- Mail domains whose people buy at the employee price.
create table employer_domain (
  domain text not null,
  employer text not null,
  added_at timestamp with time zone not null,
  constraint employer_domain_pkey PRIMARY KEY (domain),
  constraint employer_domain_domain_check CHECK ((domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text)),
  constraint employer_domain_employer_check CHECK (((length(employer) >= 1) AND (length(employer) <= 100)))
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
  constraint import_change_entity_check CHECK ((entity = ANY (ARRAY['brand'::text, 'product_line'::text, 'size'::text, 'item'::text, 'stock'::text, 'vehicle'::text, 'oe_fitment'::text]))),
  constraint import_change_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);
CREATE INDEX import_change_by_row ON import_change USING btree (entity, id, warehouse_id) WHERE (NOT undone);

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
  constraint import_fitment_pkey PRIMARY KEY (run_id, row_no),
  constraint import_fitment_check CHECK ((refused OR ((year IS NOT NULL) AND (make_slug IS NOT NULL) AND (model_slug IS NOT NULL) AND (trim_slug IS NOT NULL) AND (front_size IS NOT NULL) AND (rear_size IS NOT NULL)))),
  constraint import_fitment_run_id_fkey FOREIGN KEY (run_id) REFERENCES import_run(id) ON DELETE CASCADE
);

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
  constraint import_run_pkey PRIMARY KEY (id),
  constraint import_run_check CHECK ((refused_count <= row_count)),
  constraint import_run_check1 CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['reading'::text, 'read'::text, 'waiting-for-yes'::text, 'publishing'::text])))),
  constraint import_run_file_sha256_check CHECK ((file_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint import_run_kind_check CHECK ((kind = ANY (ARRAY['products'::text, 'prices'::text, 'stock'::text, 'fitment'::text]))),
  constraint import_run_mode_check CHECK ((mode = ANY (ARRAY['all-or-nothing'::text, 'per-row'::text]))),
  constraint import_run_state_check CHECK ((state = ANY (ARRAY['reading'::text, 'read'::text, 'waiting-for-yes'::text, 'publishing'::text, 'published'::text, 'refused'::text, 'checked'::text, 'rolling-back'::text, 'rolled-back'::text])))
);
CREATE UNIQUE INDEX import_one_half_done ON import_run USING btree ((true)) WHERE (state = ANY (ARRAY['publishing'::text, 'rolling-back'::text]));

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
  constraint invoice_pkey PRIMARY KEY (order_id),
  constraint invoice_amount_cents_check CHECK ((amount_cents > 0)),
  constraint invoice_check CHECK (((state = 'open'::text) = (settled_at IS NULL))),
  constraint invoice_check1 CHECK (((settled_at IS NULL) = (settled_by IS NULL))),
  constraint invoice_check2 CHECK (((state = 'paid'::text) = (reference IS NOT NULL))),
  constraint invoice_due_after_its_days CHECK ((due_on = (issued_on + (net_days)::integer))), -- The day to pay is the day of the order and the net days after it.
  constraint invoice_net_days_check CHECK (((net_days >= 1) AND (net_days <= 120))),
  constraint invoice_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 60))),
  constraint invoice_settled_by_check CHECK (((length(settled_by) >= 1) AND (length(settled_by) <= 100))),
  constraint invoice_state_check CHECK ((state = ANY (ARRAY['open'::text, 'paid'::text, 'canceled'::text]))),
  constraint invoice_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX invoice_open ON invoice USING btree (due_on, order_id) WHERE (state = 'open'::text);
CREATE TRIGGER invoice_within_credit BEFORE INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_within_credit(); -- What a company owes stays within its limit.
CREATE TRIGGER order_paid_in_one_way BEFORE INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION order_paid_in_one_way(); -- An order has a charge or an invoice.

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
  active boolean not null default true,
  changed_at timestamp with time zone not null default now(),
  cost_cents integer,
  shown_cents integer not null generated always as ((retail_cents + fet_cents)) stored,
  constraint item_pkey PRIMARY KEY (id),
  constraint item_product_line_id_size_id_load_index_speed_load_class_lo_key UNIQUE NULLS NOT DISTINCT (product_line_id, size_id, load_index, speed, load_class, load_range, run_flat, oe_mark, sidewall),
  constraint item_sku_key UNIQUE (sku),
  constraint item_check CHECK ((rim_width_min_in <= rim_width_max_in)),
  constraint item_check1 CHECK ((((utqg_treadwear IS NULL) = (utqg_traction IS NULL)) AND ((utqg_treadwear IS NULL) = (utqg_temperature IS NULL)))),
  constraint item_cost_cents_check CHECK ((cost_cents > 0)),
  constraint item_dual_load_index_check CHECK (((dual_load_index >= 0) AND (dual_load_index <= 160))),
  constraint item_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint item_id_check CHECK ((id > 0)),
  constraint item_load_class_check CHECK ((load_class = ANY (ARRAY['SL'::text, 'XL'::text, 'HL'::text]))),
  constraint item_load_index_check CHECK (((load_index >= 0) AND (load_index <= 160))),
  constraint item_max_load_lb_check CHECK ((max_load_lb > 0)),
  constraint item_retail_cents_check CHECK ((retail_cents > 0)),
  constraint item_sidewall_check CHECK ((sidewall = ANY (ARRAY['BSW'::text, 'OWL'::text, 'VSB'::text]))),
  constraint item_warranty_miles_check CHECK ((warranty_miles > 0)),
  constraint item_weight_lb_check CHECK ((weight_lb > (0)::numeric)),
  constraint item_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id),
  constraint item_size_id_fkey FOREIGN KEY (size_id) REFERENCES size(id)
);
CREATE INDEX item_by_line ON item USING btree (product_line_id, shown_cents, id) INCLUDE (size_id, run_flat) WHERE active;
CREATE INDEX item_by_size ON item USING btree (size_id) INCLUDE (product_line_id, shown_cents, id, run_flat) WHERE active;
CREATE TRIGGER item_changed BEFORE UPDATE ON item FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION item_changed();

-- The highest article number an import ever gave, so that none is given twice. One row.
create table item_number (
  only_one boolean not null default true,
  last integer not null,
  constraint item_number_pkey PRIMARY KEY (only_one),
  constraint item_number_last_check CHECK ((last >= 100000)),
  constraint item_number_only_one_check CHECK (only_one)
);

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
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_account_check CHECK ((account = ANY (ARRAY['receivable'::text, 'cash'::text, 'sales'::text, 'sales-tax'::text, 'tire-fee'::text, 'excise-tax'::text, 'refunds'::text, 'referral-rewards'::text, 'store-credit'::text, 'memberships'::text]))),
  constraint ledger_entry_amount_cents_check CHECK ((amount_cents <> 0)),
  constraint ledger_entry_of_one_thing CHECK ((num_nonnulls(order_id, membership_term_id) = 1)), -- An entry is of an order or of a term of membership.
  constraint ledger_entry_owner_of_credit CHECK (((owner_id IS NULL) OR (account = 'store-credit'::text))),
  constraint ledger_entry_membership_term_id_fkey FOREIGN KEY (membership_term_id) REFERENCES membership_term(id),
  constraint ledger_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id),
  constraint ledger_entry_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX ledger_entry_by_order ON ledger_entry USING btree (order_id);
CREATE INDEX ledger_entry_by_transfer ON ledger_entry USING btree (transfer_id);
CREATE INDEX ledger_entry_of_credit ON ledger_entry USING btree (owner_id) WHERE (owner_id IS NOT NULL);
CREATE CONSTRAINT TRIGGER ledger_balances AFTER INSERT OR UPDATE ON ledger_entry DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balances(); -- The entries of a transfer sum to zero when it is committed.

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

-- Addresses that stopped mails of a kind.
create table mail_stop (
  kind text not null,
  email text not null,
  stopped_at timestamp with time zone not null,
  constraint mail_stop_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint mail_stop_kind_check CHECK ((kind = ANY (ARRAY['rotation-due'::text, 'membership-ending'::text, 'referral-invite'::text])))
);
CREATE UNIQUE INDEX mail_stop_once ON mail_stop USING btree (kind, mailbox_of(email));

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
  constraint message_check CHECK (((state = 'sent'::text) = (sent_at IS NOT NULL))),
  constraint message_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'refused'::text]))),
  constraint message_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX message_by_order ON message USING btree (order_id);

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
  constraint oe_fitment_pkey PRIMARY KEY (id),
  constraint oe_fitment_vehicle_id_front_size_rear_size_key UNIQUE (vehicle_id, front_size, rear_size),
  constraint oe_fitment_front_load_index_check CHECK (((front_load_index >= 0) AND (front_load_index <= 160))),
  constraint oe_fitment_rear_load_index_check CHECK (((rear_load_index >= 0) AND (rear_load_index <= 160))),
  constraint oe_fitment_source_check CHECK ((source = ANY (ARRAY['catalog'::text, 'weak'::text]))),
  constraint oe_fitment_vehicle_id_fkey FOREIGN KEY (vehicle_id) REFERENCES vehicle(id) ON DELETE CASCADE
);
CREATE INDEX oe_fitment_by_front_size ON oe_fitment USING btree (front_size);

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
  constraint order_line_pkey PRIMARY KEY (order_id, line_no),
  constraint order_line_axle_check CHECK ((axle = ANY (ARRAY['all'::text, 'front'::text, 'rear'::text]))),
  constraint order_line_check CHECK (((kind = 'tire'::text) = (item_id IS NOT NULL))),
  constraint order_line_check1 CHECK ((gross_cents = (unit_cents * quantity))),
  constraint order_line_check2 CHECK ((net_cents = (gross_cents - discount_cents))),
  constraint order_line_discount_cents_check CHECK ((discount_cents >= 0)),
  constraint order_line_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint order_line_kind_check CHECK ((kind = ANY (ARRAY['tire'::text, 'coverage'::text, 'installation'::text, 'service-kit'::text, 'disposal'::text, 'roadside'::text, 'shipping'::text]))),
  constraint order_line_net_cents_check CHECK ((net_cents >= 0)),
  constraint order_line_quantity_check CHECK ((quantity > 0)),
  constraint order_line_tax_cents_check CHECK ((tax_cents >= 0)),
  constraint order_line_tire_fee_cents_check CHECK ((tire_fee_cents >= 0)),
  constraint order_line_unit_cents_check CHECK ((unit_cents >= 0)),
  constraint order_line_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint order_line_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE
);
CREATE INDEX order_line_by_item ON order_line USING btree (item_id) WHERE (item_id IS NOT NULL);

-- Brands that are not sold, so that a search for one can say so.
create table other_brand (
  slug text not null,
  name text not null,
  tier text not null,
  constraint other_brand_pkey PRIMARY KEY (slug),
  constraint other_brand_tier_check CHECK ((tier = ANY (ARRAY['premium'::text, 'mid'::text, 'value'::text, 'commercial'::text, 'trailer'::text, 'off-road'::text])))
);

-- Businesses and clubs whose people buy at the partner price by a code.
create table partner (
  id integer not null generated always as identity,
  name text not null,
  code text not null,
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
  people integer not null,
  message text not null,
  state text not null default 'received'::text,
  received_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  partner_id integer,
  network_key text,
  constraint partner_application_pkey PRIMARY KEY (id),
  constraint partner_application_partner_id_key UNIQUE (partner_id),
  constraint partner_application_business_check CHECK (((length(business) >= 1) AND (length(business) <= 100))),
  constraint partner_application_check CHECK ((((state = 'received'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
  constraint partner_application_check1 CHECK (((state = 'approved'::text) = (partner_id IS NOT NULL))),
  constraint partner_application_check2 CHECK (((state = 'received'::text) OR (network_key IS NULL))),
  constraint partner_application_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint partner_application_message_check CHECK ((length(message) <= 2000)),
  constraint partner_application_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint partner_application_people_check CHECK (((people >= 1) AND (people <= 1000000))),
  constraint partner_application_phone_check CHECK ((length(phone) <= 40)),
  constraint partner_application_state_check CHECK ((state = ANY (ARRAY['received'::text, 'approved'::text, 'refused'::text]))),
  constraint partner_application_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES partner(id)
);
CREATE INDEX partner_application_by_network ON partner_application USING btree (network_key, received_at) WHERE (network_key IS NOT NULL);
CREATE UNIQUE INDEX partner_application_once ON partner_application USING btree (lower(email), lower(business)) WHERE (state = 'received'::text);

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
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_hosted_ref_key UNIQUE (hosted_ref),
  constraint payment_provider_ref_key UNIQUE (provider_ref),
  constraint payment_amount_cents_check CHECK ((amount_cents > 0)),
  constraint payment_captured_cents_check CHECK ((captured_cents >= 0)),
  constraint payment_check CHECK ((captured_cents <= amount_cents)),
  constraint payment_claimed_by_term CHECK (((claimed_at IS NULL) OR (membership_term_id IS NOT NULL))),
  constraint payment_flow_check CHECK ((flow = ANY (ARRAY['fields'::text, 'hosted'::text]))),
  constraint payment_network_key_check CHECK ((length(network_key) <= 64)),
  constraint payment_of_one_thing CHECK ((num_nonnulls(cart_id, membership_term_id) = 1)), -- A charge pays for a cart or for a term of membership.
  constraint payment_refunded_cents_check CHECK ((refunded_cents >= 0)),
  constraint payment_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'authorized'::text, 'captured'::text, 'voided'::text, 'failed'::text]))),
  constraint refunds_within_captured CHECK ((refunded_cents <= captured_cents)), -- No more is given back than was taken.
  constraint payment_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id),
  constraint payment_membership_term_id_fkey FOREIGN KEY (membership_term_id) REFERENCES membership_term(id),
  constraint payment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id)
);
CREATE INDEX payment_by_cart ON payment USING btree (cart_id);
CREATE INDEX payment_by_term ON payment USING btree (membership_term_id) WHERE (membership_term_id IS NOT NULL);
CREATE UNIQUE INDEX payment_one_per_order ON payment USING btree (order_id) WHERE (state = ANY (ARRAY['authorized'::text, 'captured'::text]));
CREATE UNIQUE INDEX payment_one_per_term ON payment USING btree (membership_term_id) WHERE ((claimed_at IS NOT NULL) AND (state = ANY (ARRAY['authorized'::text, 'captured'::text])));
CREATE INDEX payment_submission_cut_off ON payment USING btree (submitted_at) WHERE ((order_id IS NULL) AND (submitted_at IS NOT NULL));
CREATE INDEX payment_unplaced ON payment USING btree (updated_at) WHERE ((order_id IS NULL) AND (state = ANY (ARRAY['pending'::text, 'authorized'::text])));

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
  about text not null,
  constraint product_line_pkey PRIMARY KEY (id),
  constraint product_line_brand_id_slug_key UNIQUE (brand_id, slug),
  constraint product_line_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text)),
  constraint product_line_tread_check CHECK ((tread = ANY (ARRAY['all-season'::text, 'summer'::text, 'winter'::text, 'all-terrain'::text, 'mud-terrain'::text, 'all-weather'::text, 'highway'::text, 'trailer'::text, 'commercial'::text]))),
  constraint product_line_warranty_miles_check CHECK ((warranty_miles > 0)),
  constraint product_line_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint product_line_category_slug_fkey FOREIGN KEY (category_slug) REFERENCES category(slug)
);
CREATE INDEX product_line_by_category ON product_line USING btree (category_slug);

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
  constraint promotion_pkey PRIMARY KEY (id),
  constraint promotion_slug_key UNIQUE (slug),
  constraint promotion_amount_check CHECK ((amount >= 0)),
  constraint promotion_check CHECK ((starts_at < ends_at)),
  constraint promotion_check1 CHECK (((kind <> 'Percentage'::text) OR ((amount >= 1) AND (amount <= 100)))),
  constraint promotion_daily_at_most_a_fifth CHECK (((NOT daily) OR ((kind = 'Percentage'::text) AND (amount <= 20) AND ((ends_at - starts_at) <= '25:00:00'::interval)))),
  constraint promotion_funded_by_check CHECK ((funded_by = ANY (ARRAY['store'::text, 'maker'::text, 'lender'::text, 'bank'::text]))),
  constraint promotion_kind_check CHECK ((kind = ANY (ARRAY['Flat Amount'::text, 'Buy3Get1'::text, 'Free'::text, 'Percentage'::text]))),
  constraint promotion_slug_is_free CHECK (((slug <> ALL (ARRAY['black-friday-sale'::text, 'cyber-monday-sale'::text])) AND (slug !~ '-rebate$'::text))),
  constraint promotion_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint promotion_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id),
  constraint promotion_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id)
);
CREATE INDEX promotion_by_end ON promotion USING btree (ends_at);

-- Messages of providers and carriers, kept by their id, so that one that comes twice counts once.
create table provider_event (
  provider text not null,
  id text not null,
  kind text not null,
  body jsonb not null,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  constraint provider_event_pkey PRIMARY KEY (provider, id)
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
  constraint rebate_pkey PRIMARY KEY (id),
  constraint rebate_name_key UNIQUE (name),
  constraint rebate_slug_key UNIQUE (slug),
  constraint rebate_amount_cents_check CHECK ((amount_cents > 0)),
  constraint rebate_check CHECK ((num_nonnulls(brand_id, product_line_id) = 1)),
  constraint rebate_check1 CHECK ((num_nonnulls(form_url, mail_to) = 1)),
  constraint rebate_check2 CHECK ((starts_at < ends_at)),
  constraint rebate_check3 CHECK ((((ends_at AT TIME ZONE 'America/New_York'::text))::date <= last_claim_on)),
  constraint rebate_form_url_check CHECK ((form_url ~ '^https://[^\s]+$'::text)),
  constraint rebate_paid_as_check CHECK ((paid_as = ANY (ARRAY['prepaid-card'::text, 'check'::text]))),
  constraint rebate_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*-rebate$'::text)),
  constraint rebate_units_check CHECK (((units >= 1) AND (units <= 8))),
  constraint rebate_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint rebate_product_line_id_fkey FOREIGN KEY (product_line_id) REFERENCES product_line(id)
);
CREATE INDEX rebate_by_end ON rebate USING btree (ends_at);

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
  constraint sales_order_pkey PRIMARY KEY (id),
  constraint sales_order_cart_id_key UNIQUE (cart_id), -- A cart becomes one order, however often it is submitted.
  constraint sales_order_canceled_or_released CHECK (((state <> 'canceled'::text) OR (released_at IS NULL))), -- An order that is charged and shipped is not canceled.
  constraint sales_order_check CHECK (((fulfillment <> ALL (ARRAY['shop'::text, 'mobile'::text])) OR (shop_id IS NOT NULL))),
  constraint sales_order_credit_within_total CHECK (((credit_cents >= 0) AND (credit_cents <= total_cents))), -- Credit pays no more than the order.
  constraint sales_order_fet_cents_check CHECK ((fet_cents >= 0)),
  constraint sales_order_fulfillment_check CHECK ((fulfillment = ANY (ARRAY['shop'::text, 'mobile'::text, 'home'::text, 'carrier-pickup'::text]))),
  constraint sales_order_released_after_window CHECK ((released_at >= cancel_until)), -- Nothing is charged or shipped while canceling is promised.
  constraint sales_order_state_check CHECK ((state = ANY (ARRAY['needs-confirmation'::text, 'confirmed'::text, 'canceled'::text, 'returned'::text]))),
  constraint sales_order_tax_cents_check CHECK ((tax_cents >= 0)),
  constraint sales_order_tire_fee_cents_check CHECK ((tire_fee_cents >= 0)),
  constraint sales_order_total_cents_check CHECK ((total_cents >= 0)),
  constraint sales_order_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint sales_order_carrier_location_id_fkey FOREIGN KEY (carrier_location_id) REFERENCES carrier_location(id),
  constraint sales_order_cart_id_fkey FOREIGN KEY (cart_id) REFERENCES cart(id),
  constraint sales_order_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint sales_order_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customer(id),
  constraint sales_order_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id)
);
CREATE INDEX sales_order_by_buyer ON sales_order USING btree (buyer_id, placed_at) WHERE (buyer_id IS NOT NULL);
CREATE INDEX sales_order_by_company ON sales_order USING btree (company_id, id) WHERE (company_id IS NOT NULL);
CREATE INDEX sales_order_by_customer ON sales_order USING btree (customer_id, placed_at DESC);
CREATE INDEX sales_order_by_release ON sales_order USING btree (released_at) WHERE (state <> 'canceled'::text);
CREATE INDEX sales_order_by_time ON sales_order USING btree (placed_at DESC, id DESC);

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
  constraint shipment_pkey PRIMARY KEY (id),
  constraint shipment_order_id_warehouse_id_key UNIQUE (order_id, warehouse_id),
  constraint shipment_tracking_number_key UNIQUE (tracking_number),
  constraint shipment_check CHECK ((((state = 'delivered'::text) = (delivered_at IS NOT NULL)) OR (state = 'returned'::text))),
  constraint shipment_state_check CHECK ((state = ANY (ARRAY['processed'::text, 'pending-pickup'::text, 'in-transit'::text, 'delivered'::text, 'canceled'::text, 'returned'::text]))),
  constraint shipment_tracked_once_sent CHECK (((state = ANY (ARRAY['processed'::text, 'canceled'::text])) OR (tracking_number IS NOT NULL))),
  constraint shipment_order_id_fkey FOREIGN KEY (order_id) REFERENCES sales_order(id) ON DELETE CASCADE,
  constraint shipment_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);

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
  rating_tenths smallint not null,
  rating_count integer not null,
  on_time_percent smallint not null,
  rim_min_in numeric(4,1) not null default 12,
  rim_max_in numeric(4,1) not null default 22,
  aspect_min smallint not null default 35,
  takes_run_flat boolean not null default true,
  takes_light_truck boolean not null default true,
  receiving_minutes integer not null default 60,
  slot_minutes smallint not null,
  active boolean not null default true,
  constraint shop_pkey PRIMARY KEY (id),
  constraint shop_code_key UNIQUE (code),
  constraint shop_check CHECK ((rim_min_in <= rim_max_in)),
  constraint shop_kind_check CHECK ((kind = ANY (ARRAY['shop'::text, 'van'::text]))),
  constraint shop_on_time_percent_check CHECK (((on_time_percent >= 0) AND (on_time_percent <= 100))),
  constraint shop_rating_count_check CHECK ((rating_count >= 0)),
  constraint shop_rating_tenths_check CHECK (((rating_tenths >= 10) AND (rating_tenths <= 50))),
  constraint shop_receiving_minutes_check CHECK ((receiving_minutes >= 0)),
  constraint shop_slot_minutes_check CHECK (((slot_minutes >= 15) AND (slot_minutes <= 240)))
);
CREATE INDEX shop_by_place ON shop USING btree (latitude, longitude) WHERE active;
CREATE INDEX shop_by_state ON shop USING btree (state, city) WHERE active;
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();

-- Places in a shop that lift one car at a time.
create table shop_bay (
  id integer not null generated always as identity,
  shop_id integer not null,
  kind text not null,
  number smallint not null,
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

-- Opening hours by weekday, on the shop's clock.
create table shop_hours (
  shop_id integer not null,
  weekday smallint not null,
  opens time without time zone not null,
  closes time without time zone not null,
  constraint shop_hours_pkey PRIMARY KEY (shop_id, weekday),
  constraint shop_hours_check CHECK ((opens < closes)),
  constraint shop_hours_weekday_check CHECK (((weekday >= 1) AND (weekday <= 7))),
  constraint shop_hours_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_hours REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_hours REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_hours REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();

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
  constraint shop_rate_pkey PRIMARY KEY (shop_id, job, rim_from_in),
  constraint shop_rate_shop_id_job_numrange_excl EXCLUDE USING gist (shop_id WITH =, job WITH =, numrange(rim_from_in, rim_to_in, '[]'::text) WITH &&),
  constraint shop_rate_check CHECK ((rim_from_in <= rim_to_in)),
  constraint shop_rate_disposal_cents_check CHECK ((disposal_cents >= 0)),
  constraint shop_rate_install_cents_check CHECK ((install_cents >= 0)),
  constraint shop_rate_job_check CHECK ((job = ANY (ARRAY['standard'::text, 'low-profile'::text, 'run-flat'::text, 'light-truck'::text]))),
  constraint shop_rate_minutes_per_tire_check CHECK (((minutes_per_tire >= 5) AND (minutes_per_tire <= 60))),
  constraint shop_rate_service_kit_cents_check CHECK ((service_kit_cents >= 0)),
  constraint shop_rate_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shop(id) ON DELETE CASCADE
);
CREATE TRIGGER calendar_version_on_delete AFTER DELETE ON shop_rate REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_insert AFTER INSERT ON shop_rate REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER calendar_version_on_update AFTER UPDATE ON shop_rate REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION calendar_part_changed();
CREATE TRIGGER shop_rate_locks_its_shop BEFORE INSERT OR DELETE OR UPDATE ON shop_rate FOR EACH ROW EXECUTE FUNCTION lock_shop_of_rate();

-- Sign-ins under way at the provider.
create table sign_in_attempt (
  state text not null,
  nonce text not null,
  code_verifier text not null,
  return_path text not null,
  browser_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_attempt_pkey PRIMARY KEY (state),
  constraint sign_in_attempt_browser_hash_check CHECK ((octet_length(browser_hash) = 32)),
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

-- Units of an article in a warehouse that are not sold.
create table stock (
  item_id integer not null,
  warehouse_id smallint not null,
  on_hand integer not null,
  constraint stock_pkey PRIMARY KEY (item_id, warehouse_id),
  constraint stock_never_negative CHECK ((on_hand >= 0)), -- Nothing is sold that is not there.
  constraint stock_item_id_fkey FOREIGN KEY (item_id) REFERENCES item(id) ON DELETE CASCADE,
  constraint stock_warehouse_id_fkey FOREIGN KEY (warehouse_id) REFERENCES warehouse(id)
);

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

-- Pictures that came with a message, drawn anew.
create table support_attachment (
  request_id bigint not null,
  name text not null,
  content_type text not null,
  bytes bytea not null,
  constraint support_attachment_pkey PRIMARY KEY (request_id),
  constraint support_attachment_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 1048576))),
  constraint support_attachment_content_type_check CHECK ((content_type = ANY (ARRAY['image/webp'::text, 'application/pdf'::text]))),
  constraint support_attachment_name_check CHECK (((length(name) >= 1) AND (length(name) <= 120))),
  constraint support_attachment_request_id_fkey FOREIGN KEY (request_id) REFERENCES support_request(id)
);

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
  constraint support_request_pkey PRIMARY KEY (id),
  constraint support_request_check CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint support_request_check1 CHECK (((state = 'closed'::text) = (closed_by IS NOT NULL))),
  constraint support_request_check2 CHECK (((state = 'open'::text) OR (network_key IS NULL))),
  constraint support_request_check3 CHECK (((kind = 'lead'::text) = (quantity IS NOT NULL))),
  constraint support_request_check4 CHECK (((kind = 'contact'::text) OR (num_nonnulls(vehicle, size) > 0))),
  constraint support_request_check5 CHECK (((kind = 'lead'::text) OR (num_nonnulls(vehicle, size, brand) = 0))),
  constraint support_request_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint support_request_kind_check CHECK ((kind = ANY (ARRAY['contact'::text, 'lead'::text]))),
  constraint support_request_message_check CHECK ((length(message) <= 3000)),
  constraint support_request_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  constraint support_request_quantity_check CHECK (((quantity >= 1) AND (quantity <= 400))),
  constraint support_request_said_check CHECK ((octet_length(said) = 32)),
  constraint support_request_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text]))),
  constraint support_request_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 80)))
);
CREATE INDEX support_request_by_email ON support_request USING btree (email, created_at);
CREATE INDEX support_request_by_network ON support_request USING btree (network_key, created_at) WHERE (network_key IS NOT NULL);
CREATE INDEX support_request_by_time ON support_request USING btree (created_at, id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX support_request_said_once ON support_request USING btree (said) WHERE (state = 'open'::text);

-- Types of tires, such as all-season.
create table tire_type (
  slug text not null,
  name text not null,
  definition text not null,
  position smallint not null,
  audience text not null default ''::text,
  constraint tire_type_pkey PRIMARY KEY (slug),
  constraint tire_type_position_key UNIQUE ("position"),
  constraint tire_type_slug_check CHECK ((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text))
);

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
  constraint warehouse_pkey PRIMARY KEY (id),
  constraint warehouse_code_key UNIQUE (code)
);

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

CREATE OR REPLACE FUNCTION invoice_within_credit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  buyer company%rowtype;
  owed bigint;
begin
  select company.* into buyer from company join sales_order on sales_order.company_id = company.id where sales_order.id = new.order_id for no key update of company;
  select coalesce(sum(amount_cents), 0) into owed
    from invoice join sales_order on sales_order.id = invoice.order_id where sales_order.company_id = buyer.id and invoice.state = 'open';
  if (buyer.state = 'approved' and owed + new.amount_cents <= buyer.credit_limit_cents) is not true then
    raise exception 'Its company has no credit for the invoice of order %.', new.order_id using errcode = 'check_violation', constraint = 'invoice_within_credit';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION item_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.changed_at = now();
  return new;
end $function$;

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

CREATE OR REPLACE FUNCTION price_rules_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update price_list set version = version + 1 where id in (select price_list_id from changed);
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

CREATE OR REPLACE FUNCTION review_changed()
 RETURNS trigger
 LANGUAGE plpgsql
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
