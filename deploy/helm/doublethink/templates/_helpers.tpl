{{/* The name that every object begins with. At most 40 characters, so that suffixes fit into 63. */}}
{{- define "doublethink.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Labels of an object. Argument: dict "root" $ "component" NAME. */}}
{{- define "doublethink.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{ include "doublethink.selector" . }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* What the policies select by: the pods of a component, test pods among them. */}}
{{- define "doublethink.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* What Services and budgets select by: the pods of a component that serve. */}}
{{- define "doublethink.serving" -}}
{{ include "doublethink.selector" . }}
doublethink.dev/serves: "true"
{{- end -}}

{{/* The settings of a component: the defaults, with its own in their place. Argument as above. Gives YAML. */}}
{{- define "doublethink.settings" -}}
{{- $own := index .root.Values .component | default dict -}}
{{- toYaml (mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy $own)) -}}
{{- end -}}

{{/* An image. Argument: dict "root" $ "image" {registry, repository, tag, digest}. A digest beats a tag. */}}
{{- define "doublethink.image" -}}
{{- $registry := .root.Values.global.imageRegistry | default (.image.registry | default .root.Values.image.registry) -}}
{{- $name := .image.repository -}}
{{- if $registry -}}{{- $name = printf "%s/%s" $registry $name -}}{{- end -}}
{{- if .image.digest -}}
{{- printf "%s@%s" $name .image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (.image.tag | default .root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The service account of a component: policies of admission tie its label to it. */}}
{{- define "doublethink.serviceAccount" -}}
{{- printf "%s-%s" (include "doublethink.fullname" .root) .component -}}
{{- end -}}

{{/* A secret: the one that exists, or the one that the bootstrap job makes. Argument: dict "root" "key" "given" "suffix". */}}
{{- define "doublethink.secret" -}}
{{- if .given -}}
{{- .given -}}
{{- else if .root.Values.secrets.generate -}}
{{- printf "%s-%s" (include "doublethink.fullname" .root) .suffix -}}
{{- else -}}
{{- fail (printf "%s is missing: name a Secret that exists, or set secrets.generate=true for a trial" .key) -}}
{{- end -}}
{{- end -}}

{{/* The secret with the certificate of a role. Argument: dict "root" "role". */}}
{{- define "doublethink.tlsSecret" -}}
{{- index .root.Values.certificates.existingSecrets .role | default (printf "%s-tls-%s" (include "doublethink.fullname" .root) .role) -}}
{{- end -}}

{{/* The variable in which the kubelet puts the address of a Service. Argument: dict "root" "component". */}}
{{- define "doublethink.hostVariable" -}}
{{- printf "%s_%s_SERVICE_HOST" (include "doublethink.fullname" .root) .component | upper | replace "-" "_" -}}
{{- end -}}

{{/* Whether PostgreSQL runs in the chart; whether a model server does; whether the planner has a model at all. */}}
{{- define "doublethink.hasPostgres" -}}{{- if .Values.postgres.enabled }}yes{{ end -}}{{- end -}}
{{- define "doublethink.hasOllama" -}}{{- if eq .Values.planner.model.kind "ollama" }}{{- if not .Values.planner.model.address }}yes{{ end }}{{ end -}}{{- end -}}
{{- define "doublethink.hasModel" -}}{{- if ne .Values.planner.model.kind "none" }}yes{{ end -}}{{- end -}}

{{/* The components that are rendered, in the order of the data flow; then what ends by itself. A JSON list. */}}
{{- define "doublethink.components" -}}
{{- $all := list "console" "planner" "gate" "validator" "reader" "sealer" "migrate" -}}
{{- if include "doublethink.hasPostgres" . }}{{- $all = append $all "postgres" }}{{ end -}}
{{- if include "doublethink.hasOllama" . }}{{- $all = append $all "model" }}{{ end -}}
{{- if and (include "doublethink.hasOllama" .) .Values.model.pull.enabled }}{{- $all = append $all "model-pull" }}{{ end -}}
{{- if .Values.retention.enabled }}{{- $all = append $all "retention" }}{{ end -}}
{{- if or .Values.secrets.generate (eq .Values.certificates.mode "generated") }}{{- $all = append $all "bootstrap" }}{{ end -}}
{{- toJson $all -}}
{{- end -}}

{{/* Whether this cluster is older than what a field needs. Argument: dict "root" "version". */}}
{{- define "doublethink.olderThan" -}}
{{- if semverCompare (printf "<%s-0" .version) .root.Capabilities.KubeVersion.Version }}yes{{ end -}}
{{- end -}}
