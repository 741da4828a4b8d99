"""What may stand in a RayJob: names and kinds of the fields of `ray.io/v1`, as of KubeRay 1.7, as a JSON schema.

Written down here after the types of KubeRay's interface (RayJobSpec, RayClusterSpec and what they hold) and, for pods,
of Kubernetes. Of a pod there is what a job of ours could need; other names are refused, also where Kubernetes has them.
"""

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXTS: Schema = {"type": "array", "items": TEXT}
YES_NO: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
NUMBER: Schema = {"type": "number", "minimum": 0}
MAP: Schema = {"type": "object", "additionalProperties": TEXT}
QUANTITY: Schema = {
    "anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?([KMGTPE]i|[numkMGTPE])?$"}]
}
AMOUNTS: Schema = {"type": "object", "additionalProperties": QUANTITY}
ANYTHING: Schema = {"type": "object"}


def one_of(*words: str) -> Schema:
    return {"enum": list(words)}


def some(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def fields(*needed: str, **known: Schema) -> Schema:
    """Describe an object with these fields and no others."""
    return {"type": "object", "properties": known, "required": list(needed), "additionalProperties": False}


_KEY = fields("key", key=TEXT, name=TEXT, optional=YES_NO)
_ENV = fields(
    "name",
    name=TEXT,
    value=TEXT,
    valueFrom=fields(
        secretKeyRef=_KEY,
        configMapKeyRef=_KEY,
        fieldRef=fields("fieldPath", fieldPath=TEXT, apiVersion=TEXT),
        resourceFieldRef=fields("resource", resource=TEXT, containerName=TEXT, divisor=QUANTITY),
    ),
)
_FROM = fields(name=TEXT, optional=YES_NO)
_ENV_FROM = fields(prefix=TEXT, secretRef=_FROM, configMapRef=_FROM)
_MOUNT = fields("name", "mountPath", name=TEXT, mountPath=TEXT, readOnly=YES_NO, subPath=TEXT, subPathExpr=TEXT)
_RESOURCES = fields(limits=AMOUNTS, requests=AMOUNTS)
_USER: dict[str, Schema] = {"runAsUser": COUNT, "runAsGroup": COUNT, "runAsNonRoot": YES_NO, "seccompProfile": ANYTHING}
_CONTAINER_SECURITY = fields(
    **_USER, allowPrivilegeEscalation=YES_NO, privileged=YES_NO, readOnlyRootFilesystem=YES_NO, capabilities=ANYTHING
)
_CONTAINER = fields(
    "name",
    name=TEXT,
    image=TEXT,
    imagePullPolicy=one_of("Always", "IfNotPresent", "Never"),
    command=TEXTS,
    args=TEXTS,
    workingDir=TEXT,
    env=some(_ENV),
    envFrom=some(_ENV_FROM),
    ports=some(
        fields("containerPort", containerPort=COUNT, name=TEXT, protocol=one_of("TCP", "UDP", "SCTP"), hostPort=COUNT)
    ),
    resources=_RESOURCES,
    volumeMounts=some(_MOUNT),
    securityContext=_CONTAINER_SECURITY,
    lifecycle=ANYTHING,
    livenessProbe=ANYTHING,
    readinessProbe=ANYTHING,
)
_VOLUME = fields(
    "name",
    name=TEXT,
    persistentVolumeClaim=fields("claimName", claimName=TEXT, readOnly=YES_NO),
    nfs=fields("server", "path", server=TEXT, path=TEXT, readOnly=YES_NO),
    emptyDir=fields(medium=TEXT, sizeLimit=QUANTITY),
    hostPath=fields("path", path=TEXT, type=TEXT),
    secret=fields(secretName=TEXT, defaultMode=COUNT, optional=YES_NO, items=some(ANYTHING)),
    configMap=fields(name=TEXT, defaultMode=COUNT, optional=YES_NO, items=some(ANYTHING)),
    csi=ANYTHING,
)
_POD = fields(
    "containers",
    containers=some(_CONTAINER),
    initContainers=some(_CONTAINER),
    volumes=some(_VOLUME),
    securityContext=fields(
        **_USER, fsGroup=COUNT, fsGroupChangePolicy=one_of("Always", "OnRootMismatch"), supplementalGroups=some(COUNT)
    ),
    serviceAccountName=TEXT,
    automountServiceAccountToken=YES_NO,
    imagePullSecrets=some(fields(name=TEXT)),
    nodeSelector=MAP,
    tolerations=some(fields(key=TEXT, operator=TEXT, value=TEXT, effect=TEXT, tolerationSeconds=COUNT)),
    affinity=ANYTHING,
    topologySpreadConstraints=some(ANYTHING),
    priorityClassName=TEXT,
    restartPolicy=one_of("Always", "OnFailure", "Never"),
    terminationGracePeriodSeconds=COUNT,
    schedulerName=TEXT,
)
_METADATA = fields(name=TEXT, namespace=TEXT, labels=MAP, annotations=MAP, generateName=TEXT)
_TEMPLATE = fields(metadata=_METADATA, spec=_POD)
_GROUP: dict[str, Schema] = {"rayStartParams": MAP, "template": _TEMPLATE, "resources": MAP, "labels": MAP}

_CLUSTER = fields(
    "headGroupSpec",
    rayVersion=TEXT,
    authOptions=fields(mode=one_of("disabled", "token"), secretName=TEXT, enableK8sTokenAuth=YES_NO),
    autoscalerOptions=fields(
        version=one_of("v1", "v2"),
        upscalingMode=one_of("Default", "Aggressive", "Conservative"),
        idleTimeoutSeconds=COUNT,
        image=TEXT,
        imagePullPolicy=TEXT,
        resources=_RESOURCES,
        securityContext=_CONTAINER_SECURITY,
        env=some(_ENV),
        envFrom=some(_ENV_FROM),
        volumeMounts=some(_MOUNT),
        command=TEXTS,
        args=TEXTS,
    ),
    enableInTreeAutoscaling=YES_NO,
    gcsFaultToleranceOptions=ANYTHING,
    headServiceAnnotations=MAP,
    historyServerOptions=ANYTHING,
    managedBy=one_of("ray.io/kuberay-operator", "kueue.x-k8s.io/multikueue"),
    networkPolicy=ANYTHING,
    suspend=YES_NO,
    tlsOptions=fields(enabled=YES_NO),
    upgradeStrategy=fields(type=one_of("Recreate", "None")),
    headGroupSpec=fields(
        "template",
        **_GROUP,
        serviceType=one_of("ClusterIP", "NodePort", "LoadBalancer"),
        headService=ANYTHING,
        enableIngress=YES_NO,
        ingressOptions=ANYTHING,
    ),
    workerGroupSpecs=some(
        fields(
            "groupName",
            "minReplicas",
            "maxReplicas",
            "template",
            **_GROUP,
            groupName=TEXT,
            replicas=COUNT,
            minReplicas=COUNT,
            maxReplicas=COUNT,
            numOfHosts=COUNT,
            idleTimeoutSeconds=COUNT,
            priority={"type": "integer"},
            suspend=YES_NO,
            scaleStrategy=fields(workersToDelete=TEXTS),
        )
    ),
)

RAY_JOB = fields(
    "apiVersion",
    "kind",
    "metadata",
    "spec",
    apiVersion=one_of("ray.io/v1"),
    kind=one_of("RayJob"),
    metadata=_METADATA,
    spec=fields(
        activeDeadlineSeconds=COUNT,
        backoffLimit=COUNT,
        clusterSelector=MAP,
        deletionStrategy=ANYTHING,
        entrypoint=TEXT,
        entrypointNumCpus=NUMBER,
        entrypointNumGpus=NUMBER,
        entrypointResources=TEXT,
        jobId=TEXT,
        managedBy=TEXT,
        metadata=MAP,
        rayClusterSpec=_CLUSTER,
        runtimeEnvYAML=TEXT,
        shutdownAfterJobFinishes=YES_NO,
        submissionMode=one_of("K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"),
        submitterConfig=fields(backoffLimit=COUNT),
        submitterPodTemplate=_TEMPLATE,
        suspend=YES_NO,
        ttlSecondsAfterFinished=COUNT,
    ),
)
