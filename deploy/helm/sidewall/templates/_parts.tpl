{{- define "sidewall.name" -}}
{{- if contains "sidewall" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-sidewall" (.Release.Name | trunc 41 | trimSuffix "-") }}{{ end -}}
{{- end }}

{{- define "sidewall.labels" -}}
app.kubernetes.io/name: sidewall
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* Of one part: dict "root" . "part" "web" */ -}}
{{- define "sidewall.selector" -}}
app.kubernetes.io/name: sidewall
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "sidewall.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default (printf "v%s" $.Chart.AppVersion) }}{{ end }}{{ end -}}
{{- end }}

{{- define "sidewall.account" -}}
{{- .Values.serviceAccount.name | default (ternary (include "sidewall.name" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{- define "sidewall.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "sidewall.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "sidewall.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "sidewall.environment" -}}
- { name: DATA_DIR, value: /data }
- { name: PORT, value: {{ .Values.web.port | quote }} }
- { name: METRICS_PORT, value: {{ .Values.web.metricsPort | quote }} }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- range $name, $value := .Values.settings }}
{{- if $value }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}
